import type { LogLevel } from "../../contract/log-level.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { Order } from "./line.ts";

/** How many lines of each level were written from a moment on. */
export interface Bucket {
  fromMs: number;
  lines: LevelCounts;
}

export type LevelCounts = Record<LogLevel | "none", number>;

/** The buckets that have lines, oldest first. */
export interface Counted {
  bucketMs: number;
  buckets: Bucket[];
}

export interface Histogram {
  add(atMs: number, level: LogLevel | null): void;
  read(): Counted;
}

/** How long a bucket may be: what a reader counts in. */
const STEPS = [1, 5, 10, 30]
  .map((count) => count * SECOND_MS)
  .concat(
    [1, 5, 10, 30].map((count) => count * MINUTE_MS),
    [1, 3, 6, 12].map((count) => count * HOUR_MS),
    [1, 7, 30, 365, 3650].map((count) => count * DAY_MS),
  );
/** More cannot be distinguished in a chart. */
const MOST_BUCKETS = 120;

/** Counts lines by time and level. Buckets grow with the time that they must cover, so that there are never many. */
export function createHistogram(): Histogram {
  let step = 0;
  let buckets = new Map<number, LevelCounts>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  /** Of the line before: lines mostly come in order of time. */
  let latest = { fromMs: 0, untilMs: 0, counts: noLines() };

  const lengthMs = (): number => STEPS[step] ?? DAY_MS;
  const startOf = (atMs: number): number => Math.floor(atMs / lengthMs()) * lengthMs();
  const bucketAt = (fromMs: number): LevelCounts => {
    const counts = buckets.get(fromMs) ?? noLines();
    buckets.set(fromMs, counts);
    return counts;
  };

  function widen(): void {
    if ((lastMs - firstMs) / lengthMs() < MOST_BUCKETS || step === STEPS.length - 1) return;
    while ((lastMs - firstMs) / lengthMs() >= MOST_BUCKETS && step < STEPS.length - 1) step += 1;
    const before = buckets;
    buckets = new Map();
    latest = { fromMs: 0, untilMs: 0, counts: noLines() };
    for (const [fromMs, counts] of before) {
      const joined = bucketAt(startOf(fromMs));
      for (const level of LEVELS) joined[level] += counts[level];
    }
  }

  return {
    add(atMs, level) {
      if (atMs < firstMs || atMs > lastMs) {
        firstMs = Math.min(firstMs, atMs);
        lastMs = Math.max(lastMs, atMs);
        widen();
      }
      if (atMs < latest.fromMs || atMs >= latest.untilMs) {
        const fromMs = startOf(atMs);
        latest = { fromMs, untilMs: fromMs + lengthMs(), counts: bucketAt(fromMs) };
      }
      latest.counts[level ?? "none"] += 1;
    },
    read: () => ({
      bucketMs: lengthMs(),
      buckets: [...buckets].map(([fromMs, lines]) => ({ fromMs, lines })).toSorted((one, other) => one.fromMs - other.fromMs),
    }),
  };
}

/** Without the buckets beyond the moment up to which all lines were counted: they have only some of theirs. */
export function countedUntil({ bucketMs, buckets }: Counted, order: Order, endedAtMs: number | undefined): Counted {
  if (endedAtMs === undefined) return { bucketMs, buckets };
  const isCounted = ({ fromMs }: Bucket): boolean => (order === "newest" ? fromMs + bucketMs > endedAtMs : fromMs < endedAtMs);
  return { bucketMs, buckets: buckets.filter(isCounted) };
}

function noLines(): LevelCounts {
  return { error: 0, warn: 0, info: 0, debug: 0, none: 0 };
}

const LEVELS = ["error", "warn", "info", "debug", "none"] as const;
