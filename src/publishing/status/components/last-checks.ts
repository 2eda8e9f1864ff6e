import { VALID_INTERVALS } from "../../../contract/endpoint.ts";
import type { Clock } from "../../../platform/clock.ts";

interface SeenCheck {
  atMs: number;
  /** When this program saw it, on a clock that only rises: each host that checks has its own clock. */
  seenMs: number;
}

/** When each monitor was last observed, by its checks. */
export interface LastChecks {
  lastObservedAt(key: string, check: { at: Date | null; everyMs: number }): Date | null;
}

export function createLastChecks(clock: Clock): LastChecks {
  const seen = new Map<string, SeenCheck>();

  /** A check from before the start has its own time. */
  function seeFirst(atMs: number): SeenCheck {
    return { atMs, seenMs: clock.monotonicMs() - Math.max(0, clock.now().getTime() - atMs) };
  }

  return {
    lastObservedAt(key, { at, everyMs }) {
      if (at === null) return null;
      const atMs = at.getTime();
      const known = seen.get(key) ?? seeFirst(atMs);
      const check = known.atMs === atMs ? known : { atMs, seenMs: clock.monotonicMs() };
      seen.set(key, check);
      const ageMs = clock.monotonicMs() - check.seenMs;
      return new Date(clock.now().getTime() - (ageMs <= VALID_INTERVALS * everyMs ? 0 : ageMs));
    },
  };
}
