import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

/** Between two log lines about the same kind. */
const LOGGED_EVERY_MS = 10 * MINUTE_MS;

export interface OversizeStatus {
  /** Observations since the start that were not sent, or of which labels were left out. */
  oversize: number;
  /** What is too large now, as sentences. */
  tooLarge: string[];
}

/** What was too large to be sent, by kind. */
export interface Oversize {
  /** Counts one, and logs it now and then. */
  add(kind: string, sentence: string): void;
  /** The next one of the kind was sent whole. */
  clear(kind: string): void;
  status(): OversizeStatus;
}

export function createOversize({ clock, log }: { clock: Clock; log: Log }): Oversize {
  const now = new Map<string, string>();
  const loggedMs = new Map<string, number>();
  let count = 0;

  return {
    add(kind, sentence) {
      count += 1;
      now.set(kind, sentence);
      const nowMs = clock.monotonicMs();
      if (nowMs - (loggedMs.get(kind) ?? -Infinity) < LOGGED_EVERY_MS) return;
      loggedMs.set(kind, nowMs);
      log.error({ observation: kind, oversize: count }, sentence);
    },
    clear: (kind) => void now.delete(kind),
    status: () => ({ oversize: count, tooLarge: [...now.values()] }),
  };
}
