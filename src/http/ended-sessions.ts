import type { Clock } from "../platform/clock.ts";
import { ALL_SESSIONS, lastEnd, SESSION_LIFETIMES } from "./session.ts";
import type { EndedSession, Session } from "./session.ts";

/** The sessions that were ended early. */
export interface EndedSessions {
  has(session: Session): boolean;
  /** Takes effect at once; resolves when it is stored. Throws `storage_unavailable`: the session is then ended only until the next restart. */
  end(session: Session): Promise<void>;
  endAll(): Promise<void>;
  /** Called with the session that was ended, or undefined for all of them. */
  onEnded(listener: (session: Session | undefined) => void): void;
  /** Adds sessions that were stored before. */
  load(kept: readonly EndedSession[]): void;
  /** Forgets sessions of which no cookie can still be valid. */
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
    has({ id, begunAtMs }) {
      const all = ended.get(ALL_SESSIONS);
      return ended.has(id) || (all !== undefined && begunAtMs <= all.endedAt.getTime());
    },
    end(session) {
      const now = clock.now();
      return add({ id: session.id, endedAt: now, expiresAt: lastEnd(session, now) }, session);
    },
    endAll() {
      const now = clock.now();
      return add({ id: ALL_SESSIONS, endedAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIMES.longestMs) }, undefined);
    },
    onEnded: (listener) => void listeners.push(listener),
    load(kept) {
      for (const one of kept) ended.set(one.id, one);
    },
    purge(now) {
      for (const [id, { expiresAt }] of ended) if (expiresAt <= now) ended.delete(id);
    },
  };
}
