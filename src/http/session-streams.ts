import type { ServerResponse } from "node:http";
import type { Clock } from "../platform/clock.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { SESSION_LIFETIMES } from "./session.ts";
import type { Session } from "./session.ts";

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
