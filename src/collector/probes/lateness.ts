import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

/** Later than this is told. */
const LATE_MS = 2_000;
const TELL_EVERY_MS = 60_000;

/** Tells, now and then, that checks begin late: too many hang, or one host has too many of them. */
export function createLateness({ clock, log }: { clock: Clock; log: Log }): { note(lateMs: number): void } {
  let late = 0;
  let longestMs = 0;
  let toldMs = -TELL_EVERY_MS;
  return {
    note(lateMs) {
      if (lateMs < LATE_MS) return;
      late += 1;
      longestMs = Math.max(longestMs, lateMs);
      if (clock.monotonicMs() - toldMs < TELL_EVERY_MS) return;
      log.warn({ checks: late, longestMs: Math.round(longestMs) }, "checks begin late; too many wait for answers");
      toldMs = clock.monotonicMs();
      late = 0;
      longestMs = 0;
    },
  };
}
