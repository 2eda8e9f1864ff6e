import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

/** Lists ask for those of all containers at once, and again with each change. */
const FRESH_MS = 5 * MINUTE_MS;

/** How often containers restarted by themselves within a day, by container; one that did not is left out. */
export type Restarts = ReadonlyMap<number, number>;

interface Dependencies {
  restartsByContainer(span: { from: number; to: number }): Promise<Restarts>;
  clock: Clock;
  log: Log;
}

/** Reads the restarts of the last 24 hours when somebody asks for them, at most every 5 minutes. Undefined while they cannot be read. */
export function createRestarts({ restartsByContainer, clock, log }: Dependencies): () => Promise<Restarts | undefined> {
  let latest: { atMs: number; restarts: Promise<Restarts | undefined> } | undefined;

  return () => {
    const nowMs = clock.now().getTime();
    if (latest !== undefined && nowMs >= latest.atMs && nowMs < latest.atMs + FRESH_MS) return latest.restarts;
    const read = restartsByContainer({ from: nowMs - DAY_MS, to: nowMs }).catch((error: unknown) => {
      log.warn({ reason: messageOf(error) }, "restarts not read");
      latest = undefined;
      return undefined;
    });
    latest = { atMs: nowMs, restarts: read };
    return read;
  };
}
