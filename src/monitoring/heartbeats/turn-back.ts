import { type Heartbeat, settle, type Times } from "./heartbeat.ts";
import { emptyDay, openTally } from "./uptime.ts";

/**
 * The same wait on a clock that was set back: it has waited as long as before. The times of a cron line stay where they are on the clock, unless
 * they are further away than the second from now: the clock was wrong by far, and nothing would be expected until then. A day that is still to come is
 * not counted.
 */
export function turnBack<Known extends Heartbeat>(heartbeat: Known, { byMs, now }: { byMs: number; now: Date }, times: Times): Known {
  const back = (at: Date): Date => new Date(at.getTime() - byMs);
  const { schedule, expectedAt, expectedSince, lastPingAt, tally } = heartbeat;
  const atMostSecond = (expected: Date): Date => {
    const second = times.expect(schedule, times.expect(schedule, back(expectedSince ?? expected), null), null);
    return second < expected ? second : expected;
  };
  return settle(
    {
      ...heartbeat,
      lastPingAt: lastPingAt && back(lastPingAt),
      tally: tally.startMs > emptyDay(now.getTime()).startMs ? openTally(now) : tally,
      expectedAt: expectedAt && (schedule.kind === "cron" ? atMostSecond(expectedAt) : back(expectedAt)),
      expectedSince: expectedSince === null ? null : back(expectedSince),
      runs: heartbeat.runs.map((run) => ({ ...run, startedAt: back(run.startedAt) })),
    },
    times,
  );
}
