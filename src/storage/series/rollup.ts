import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";

/** A level of detail: the step of its figures, and the span of one chunk of a series. */
export interface Level {
  /** Its number in the tables. */
  number: number;
  kind: "detail" | "minutes" | "hours";
  stepMs: number;
  spanMs: number;
}

export const DETAIL: Level = { number: 0, kind: "detail", stepMs: 10 * SECOND_MS, spanMs: HOUR_MS };
export const MINUTES: Level = { number: 1, kind: "minutes", stepMs: MINUTE_MS, spanMs: HOUR_MS };
export const HOURS: Level = { number: 2, kind: "hours", stepMs: HOUR_MS, spanMs: DAY_MS };

/** From the finest to the coarsest. */
export const LEVELS: readonly Level[] = [DETAIL, MINUTES, HOURS];

/** The coarsest level whose figures can make the step, which is the fastest to read. */
export function levelOf(stepMs: number): Level {
  const level = LEVELS.findLast((each) => stepMs % each.stepMs === 0);
  if (level === undefined || stepMs <= 0) throw new RangeError(`${stepMs} ms is not a whole multiple of ${DETAIL.stepMs} ms`);
  return level;
}

export function levelNamed(kind: Level["kind"]): Level {
  return { detail: DETAIL, minutes: MINUTES, hours: HOURS }[kind];
}

/** The start of the span that contains a moment. */
export function startOf(atMs: number, { spanMs }: Pick<Level, "spanMs">): number {
  return Math.floor(atMs / spanMs) * spanMs;
}

export function slotsOf({ stepMs, spanMs }: Level): number {
  return spanMs / stepMs;
}

/** The figures of one column by bucket: exact, so that coarser ones made of them are exact too. Empty buckets have count 0, and NaN as extremes. */
export interface Rollup {
  count: Float64Array;
  sum: Float64Array;
  min: Float64Array;
  max: Float64Array;
}

export function emptyRollup(buckets: number): Rollup {
  // One buffer for all four, since making one costs more than filling it.
  const all = new Float64Array(4 * buckets).fill(Number.NaN, 2 * buckets);
  const part = (number: number): Float64Array => all.subarray(number * buckets, (number + 1) * buckets);
  return { count: part(0), sum: part(1), min: part(2), max: part(3) };
}

/** Adds a value to a bucket; NaN adds nothing. */
export function addValue({ count, sum, min, max }: Rollup, bucket: number, value: number): void {
  if (Number.isNaN(value)) return;
  const before = count[bucket] ?? 0;
  count[bucket] = before + 1;
  sum[bucket] = (sum[bucket] ?? 0) + value;
  // A comparison with NaN is false, so the first value always becomes the extreme.
  if (!((min[bucket] ?? 0) <= value)) min[bucket] = value;
  if (!((max[bucket] ?? 0) >= value)) max[bucket] = value;
}

/** Adds one bucket of a finer rollup to a bucket. */
export function addBucket(target: Rollup, bucket: number, fine: Rollup, row: number): void {
  const count = fine.count[row] ?? 0;
  if (count === 0) return;
  const min = fine.min[row] ?? Number.NaN;
  const max = fine.max[row] ?? Number.NaN;
  target.count[bucket] = (target.count[bucket] ?? 0) + count;
  target.sum[bucket] = (target.sum[bucket] ?? 0) + (fine.sum[row] ?? 0);
  if (!((target.min[bucket] ?? 0) <= min)) target.min[bucket] = min;
  if (!((target.max[bucket] ?? 0) >= max)) target.max[bucket] = max;
}

/** Makes one bucket of every `size` values of a column. */
export function rollUpValues(column: Float64Array, size: number): Rollup {
  const rollup = emptyRollup(column.length / size);
  for (let row = 0, bucket = 0; row < column.length; bucket += 1)
    for (const end = row + size; row < end; row += 1) addValue(rollup, bucket, column[row] ?? Number.NaN);
  return rollup;
}

export function clearBucket({ count, sum, min, max }: Rollup, bucket: number): void {
  count[bucket] = sum[bucket] = 0;
  min[bucket] = max[bucket] = Number.NaN;
}

/** Replaces one bucket by another. */
export function copyBucket(target: Rollup, bucket: number, source: Rollup, row: number): void {
  target.count[bucket] = source.count[row] ?? 0;
  target.sum[bucket] = source.sum[row] ?? 0;
  target.min[bucket] = source.min[row] ?? Number.NaN;
  target.max[bucket] = source.max[row] ?? Number.NaN;
}

export const COLUMNS_A_ROLLUP = 4;

/** A rollup as columns of small numbers if values hardly change: count, minimum, maximum minus minimum, and the sum minus the sum of all minima. */
export function columnsOf({ count, sum, min, max }: Rollup): Float64Array[] {
  const both = new Float64Array(2 * count.length);
  const spread = both.subarray(0, count.length);
  const excess = both.subarray(count.length);
  for (let row = 0; row < count.length; row += 1) {
    const least = min[row] ?? Number.NaN;
    spread[row] = (max[row] ?? Number.NaN) - least;
    excess[row] = (sum[row] ?? 0) - least * (count[row] ?? 0);
  }
  return [count, min, spread, excess];
}

/** The rollup of {@link columnsOf}. It takes over the columns: do not use them afterwards. */
export function rollupOf([count, min, spread, excess]: readonly Float64Array[]): Rollup {
  if (count === undefined || min === undefined || spread === undefined || excess === undefined)
    throw new RangeError("a rollup has four columns");
  for (let row = 0; row < count.length; row += 1) {
    const least = min[row] ?? Number.NaN;
    spread[row] = least + (spread[row] ?? Number.NaN);
    excess[row] = (count[row] ?? 0) > 0 ? (excess[row] ?? 0) + least * (count[row] ?? 0) : 0;
  }
  return { count, sum: excess, min, max: spread };
}
