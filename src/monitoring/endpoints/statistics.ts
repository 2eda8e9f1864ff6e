import { type Range, RESPONSE_STEPS_MS, SPANS_MS } from "../../contract/ranges.ts";
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/queues.ts";
import type { DailyUptime, EndpointDetail, ResponseTimes, ResponseTimesAround } from "./answers.ts";
import type { CheckHistory } from "./checks/history.ts";
import { longestMs, type SavedEndpoint } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { ONE_BY_ONE } from "./register.ts";
import type { EndpointStore } from "./store.ts";
import { addCounts, byDay, type Counts, dayOf, percentOf, spansOf, uptime24h } from "./tally.ts";

/** How long endpoints were up, and how fast they answered. */
export interface Statistics {
  uptime(endpoint: SavedEndpoint): Promise<EndpointDetail["uptime"]>;
  /** Newest day first; days are UTC. */
  daily(endpoint: SavedEndpoint, days: number): Promise<DailyUptime>;
  /** On a whole grid of steps, the last of them under way. */
  responseTimes(endpoint: SavedEndpoint, range: Range): Promise<ResponseTimes>;
  /** Around a moment, in steps of a minute, or of its interval where that is longer: so many of these as are needed to see it change. */
  responseTimesAround(endpoint: SavedEndpoint, around: Around): Promise<ResponseTimesAround>;
}

export interface Around {
  at: Date;
  beforeMs: number;
  afterMs: number;
}

export function createStatistics({
  store,
  projection,
  history,
  clock,
  serial,
}: {
  store: Pick<EndpointStore, "days">;
  projection: Projection;
  history: Pick<CheckHistory, "parts">;
  clock: Clock;
  serial: Serial;
}): Statistics {
  /** What is saved and what is counted since then belong together, so nothing may be saved between. */
  async function daysFrom({ id, check }: SavedEndpoint, fromDay: number): Promise<Map<number, Counts>> {
    return serial(ONE_BY_ONE, async () => {
      const days = await store.days(id, fromDay);
      const { days: unsaved, carry } = projection.tally(id);
      const open = byDay([], spansOf(carry, clock.now().getTime(), longestMs(check)));
      for (const [day, counts] of [...unsaved, ...open]) addCounts(days, day, counts);
      return days;
    });
  }

  /** What the checks of each step of a grid say; one that is in two places counts once. */
  async function seriesOf(
    id: number,
    { fromMs, stepMs, steps }: { fromMs: number; stepMs: number; steps: number },
  ): Promise<ResponseTimes["series"]> {
    const [sums, answered, most, checks, failures] = Array.from({ length: 5 }, () => new Float64Array(steps)) as Columns;
    const seen = new Set<number>();
    for await (const part of history.parts(id, { fromMs, toMs: fromMs + steps * stepMs - 1 })) {
      for (const { atMs, observed, success, responseTimeMs } of part) {
        if (!observed || seen.has(atMs)) continue;
        seen.add(atMs);
        const step = Math.floor((atMs - fromMs) / stepMs);
        checks[step] = (checks[step] ?? 0) + 1;
        if (!success) failures[step] = (failures[step] ?? 0) + 1;
        if (responseTimeMs === null) continue;
        sums[step] = (sums[step] ?? 0) + responseTimeMs;
        answered[step] = (answered[step] ?? 0) + 1;
        most[step] = Math.max(most[step] ?? 0, responseTimeMs);
      }
    }
    const whereAnswered = (value: (step: number) => number): (number | null)[] =>
      Array.from(answered, (count, step) => (count === 0 ? null : Math.round(value(step) * 10) / 10));
    return {
      timestamps: Array.from({ length: steps }, (_, step) => new Date(fromMs + step * stepMs).toISOString()),
      response_time_ms: whereAnswered((step) => (sums[step] ?? 0) / (answered[step] ?? 1)),
      response_time_ms_max: whereAnswered((step) => most[step] ?? 0),
      checks: [...checks],
      failures: [...failures],
    };
  }

  return {
    async uptime(endpoint) {
      const now = clock.now().getTime();
      const today = dayOf(now);
      const days = await daysFrom(endpoint, today - 89);
      const last = (count: number): number | null => {
        const counted = [...days].flatMap(([day, counts]) => (day > today - count ? [counts] : []));
        return percentOf(
          counted.reduce((sum, { upMs }) => sum + upMs, 0),
          counted.reduce((sum, { downMs }) => sum + downMs, 0),
        );
      };
      return {
        "24h": uptime24h(projection.tally(endpoint.id), now, longestMs(endpoint.check)),
        "7d": last(7),
        "30d": last(30),
        "90d": last(90),
      };
    },

    async daily(endpoint, count) {
      const today = dayOf(clock.now().getTime());
      const days = await daysFrom(endpoint, today - count + 1);
      return {
        days: Array.from({ length: count }, (_, index) => {
          const day = today - index;
          const { upMs = 0, downMs = 0, checks = 0, incidents = 0 } = days.get(day) ?? {};
          return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), uptime_percent: percentOf(upMs, downMs), checks, incidents };
        }),
      };
    },

    async responseTimes({ id }, range) {
      const stepMs = RESPONSE_STEPS_MS[range];
      const toMs = (Math.floor(clock.now().getTime() / stepMs) + 1) * stepMs;
      const series = await seriesOf(id, { fromMs: toMs - SPANS_MS[range], stepMs, steps: SPANS_MS[range] / stepMs });
      return { endpoint_id: id, range, step_seconds: stepMs / 1000, series };
    },

    async responseTimesAround({ id, check }, { at, beforeMs, afterMs }) {
      const stepMs = Math.ceil(Math.max(check.intervalMs, MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
      const fromMs = Math.floor((at.getTime() - Math.max(beforeMs, FEWEST_STEPS * stepMs)) / stepMs) * stepMs;
      const untilMs = Math.min(at.getTime() + afterMs, clock.now().getTime());
      const steps = Math.max(1, Math.floor((untilMs - fromMs) / stepMs) + 1);
      return { endpoint_id: id, step_seconds: stepMs / 1000, series: await seriesOf(id, { fromMs, stepMs, steps }) };
    },
  };
}

/** Before a moment, of an endpoint that is seldom checked. */
const FEWEST_STEPS = 12;

type Columns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
