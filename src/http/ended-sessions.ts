import type { ServerResponse } from "node:http";
import type { Clock } from "../platform/clock.ts";
import { ALL_SESSIONS, lastEnd, SESSION_LIFETIMES } from "./session.ts";
import type { EndedSession, Session } from "./session.ts";

/** The sessions that were ended early. */
export interface EndedSessions {
  /** Whether it was ended alone. */
  has(session: Session): boolean;
  /** Cookies are signed with it. It changes when all sessions are ended: clocks are not compared, since they may be set back. */
  epoch(): string;
  /** Takes effect at once; resolves when it is stored. Throws `storage_unavailable`: the session is then ended only until the next restart. */
  end(session: Session): Promise<void>;
  endAll(): Promise<void>;
  /** Called with the session that was ended, or undefined for all of them. */
  onEnded(listener: (session: Session | undefined) => void): void;
  /** Adds sessions that were stored before. */
  load(kept: readonly EndedSession[]): void;
  /** Forgets single sessions of which no cookie can still be valid. */
  purge(now: Date): void;
}

/** `keep` stores ended sessions; without it only this process knows them. */
export function createEndedSessions({
  clock,
  keep = () => Promise.resolve(),
}: {
  clock: Clock;
  keep?: (ended: EndedSession) => Promise<void>;
}): EndedSessions {
  const ended = new Map<string, EndedSession>();
  const listeners: ((session: Session | undefined) => void)[] = [];

  async function add(one: EndedSession, session: Session | undefined): Promise<void> {
    ended.set(one.id, one);
    for (const listener of listeners) listener(session);
    await keep(one);
  }

  return {
    has: ({ id }) => ended.has(id),
    epoch: () => String(ended.get(ALL_SESSIONS)?.endedAt.getTime() ?? ""),
    end(session) {
      return add({ id: session.id, endedAt: clock.now(), expiresAt: lastEnd(session) }, session);
    },
    endAll() {
      const lastMs = ended.get(ALL_SESSIONS)?.endedAt.getTime() ?? 0;
      const endedAtMs = Math.max(clock.now().getTime(), lastMs + 1);
      const expiresAt = new Date(endedAtMs + SESSION_LIFETIMES.longestMs);
      return add({ id: ALL_SESSIONS, endedAt: new Date(endedAtMs), expiresAt }, undefined);
    },
    onEnded: (listener) => void listeners.push(listener),
    load(kept) {
      for (const one of kept) ended.set(one.id, one);
    },
    purge(now) {
      for (const [id, { expiresAt }] of ended) if (id !== ALL_SESSIONS && expiresAt <= now) ended.delete(id);
    },
  };
}

/** The open streams of sessions: they end with their session. */
export interface SessionStreams {
  /** Closes the response when its session ends, and after a day at most: the client then reconnects and presents its cookie again. */
  hold(session: Session, response: ServerResponse): void;
}

export function createSessionStreams({ ended, clock }: { ended: Pick<EndedSessions, "onEnded">; clock: Clock }): SessionStreams {
  const open = new Map<string, Set<ServerResponse>>();
  ended.onEnded((session) => {
    const responses = session === undefined ? [...open.values()].flatMap((each) => [...each]) : [...(open.get(session.id) ?? [])];
    for (const response of responses) response.destroy();
  });
  return {
    hold(session, response) {
      const responses = open.get(session.id) ?? new Set();
      open.set(session.id, responses.add(response));
      const leftMs = Math.min(SESSION_LIFETIMES.streamMs, session.endsAtMs - clock.now().getTime());
      const timer = clock.after(leftMs, () => response.destroy());
      response.once("close", () => {
        timer.cancel();
        responses.delete(response);
        if (responses.size === 0) open.delete(session.id);
      });
    },
  };
}
