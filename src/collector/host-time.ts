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
  /** Whether a time just stamped by the runtime does not fit its clock as last read. */
  isFarFrom(at: Date): boolean;
  end(): void;
}

export function createHostTime(clock: Clock): HostTime {
  let reading: { at: Date; monotonicMs: number; since: Date } | undefined;

  function span(): { since: Date; now: Date } | undefined {
    if (reading === undefined) return undefined;
    return { since: reading.since, now: new Date(reading.at.getTime() + clock.monotonicMs() - reading.monotonicMs) };
  }

  function isFarFrom(at: Date): boolean {
    const expected = span();
    return expected !== undefined && Math.abs(expected.now.getTime() - at.getTime()) > JUMP_MS;
  }

  return {
    read(at) {
      const since = reading === undefined || isFarFrom(at) ? at : reading.since;
      reading = { at, monotonicMs: clock.monotonicMs(), since };
    },
    span,
    isFarFrom,
    end() {
      reading = undefined;
    },
  };
}
