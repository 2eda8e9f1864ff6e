import type { LogSearchResult } from "../../../../src/monitoring/logs/answers.ts";

type Histogram = LogSearchResult["histogram"];
export type Counts = Omit<Histogram["buckets"][number], "timestamp">;

/** One bar of the chart: a span of time and how many lines it has. */
export interface Bar {
  fromMs: number;
  untilMs: number;
  counts: Counts;
  total: number;
}

/** All levels, the most serious first. */
export const COUNTED = ["error", "warn", "info", "debug", "none"] as const satisfies readonly (keyof Counts)[];

const NO_LINES: Counts = { error: 0, warn: 0, info: 0, debug: 0, none: 0 };
/** The server sends no more; clocks that are far off may. */
const MOST_BARS = 200;

/** The bars from the first bucket to the last, with those that have no lines. */
export function barsOf({ bucket_seconds, buckets }: Pick<Histogram, "bucket_seconds" | "buckets">): Bar[] {
  const lengthMs = bucket_seconds * 1000;
  const byStart = new Map(buckets.map(({ timestamp, ...counts }) => [Date.parse(timestamp), counts]));
  const starts = [...byStart.keys()];
  const [firstMs, lastMs] = [Math.min(...starts), Math.max(...starts)];
  const isDense = starts.length > 0 && (lastMs - firstMs) / lengthMs < MOST_BARS;
  const all = isDense ? Array.from({ length: (lastMs - firstMs) / lengthMs + 1 }, (_, index) => firstMs + index * lengthMs) : starts;
  return all.map((fromMs) => {
    const counts = byStart.get(fromMs) ?? NO_LINES;
    return { fromMs, untilMs: fromMs + lengthMs, counts, total: COUNTED.reduce((sum, level) => sum + counts[level], 0) };
  });
}

/** The span of time that two bars and all between them cover. */
export function spanOf(one: Bar, other: Bar): { since: string; until: string } {
  return {
    since: new Date(Math.min(one.fromMs, other.fromMs)).toISOString(),
    until: new Date(Math.max(one.untilMs, other.untilMs)).toISOString(),
  };
}
