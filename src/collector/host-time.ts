import type { Clock } from "../platform/clock.ts";

/** A larger step than drift and delay explain: the host's clock was set, or the host slept. */
const JUMP_MS = 10_000;

/**
 * The runtime's clock, carried on by ours between two readings, and since when it was watched without a gap.
 * It runs behind the real one by the time that a listing takes, so that nothing counts as watched that was not.
 */
export interface HostTime {
  /** Takes a reading; the first one, and one that shows a jump, begin a new span. */
  read(at: Date): void;
  /** The watched span up to now; undefined before the first reading and after {@link HostTime.end}. */
  span(): { since: Date; now: Date } | undefined;
  end(): void;
}

export function createHostTime(clock: Clock): HostTime {
  let reading: { at: Date; monotonicMs: number; since: Date } | undefined;

  function span(): { since: Date; now: Date } | undefined {
    if (reading === undefined) return undefined;
    return { since: reading.since, now: new Date(reading.at.getTime() + clock.monotonicMs() - reading.monotonicMs) };
  }

  return {
    read(at) {
      const expected = span();
      const jumped = expected === undefined || Math.abs(expected.now.getTime() - at.getTime()) > JUMP_MS;
      reading = { at, monotonicMs: clock.monotonicMs(), since: jumped ? at : expected.since };
    },
    span,
    end() {
      reading = undefined;
    },
  };
}
