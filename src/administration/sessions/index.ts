import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { createEndedSessions } from "../../http/ended-sessions.ts";
import type { EndedSessions } from "../../http/ended-sessions.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { createEndedSessionStore } from "./store.ts";

const PURGED_EVERY_MS = HOUR_MS;

export interface StoredSessions {
  ended: EndedSessions;
  /** Reads what was ended before; to be awaited before anybody is let in. */
  start(): Promise<void>;
}

/** Sessions that were ended stay so over restarts. */
export function createStoredSessions({
  database,
  clock,
  scheduler,
}: {
  database: Database;
  clock: Clock;
  scheduler: Scheduler;
}): StoredSessions {
  const store = createEndedSessionStore(database);
  const ended = createEndedSessions({ clock, keep: store.save });
  return {
    ended,
    async start() {
      ended.load(await store.list());
      scheduler.every({
        name: "ended sessions",
        everyMs: PURGED_EVERY_MS,
        firstAfterMs: 2 * MINUTE_MS,
        async run() {
          const now = clock.now();
          ended.purge(now);
          await store.purge(now);
        },
      });
    },
  };
}
