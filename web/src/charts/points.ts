/** Points in time and the columns of values that belong to them; null is a gap. */
import type { History } from "../../../src/monitoring/resources/answers.ts";

export type Column = readonly (number | null)[];

type Series = History["series"];

export interface Points extends Omit<Record<keyof Series, Column>, "timestamps"> {
  /** Milliseconds since the epoch, ascending. */
  times: readonly number[];
  stepMs: number;
}

/** The points of a history. Steps that it leaves out become gaps, so that no line leads over them. */
export function pointsOf({ series: { timestamps, ...columns }, step_seconds }: History): Points {
  const stepMs = step_seconds * 1000;
  const times = timestamps.map((timestamp) => Date.parse(timestamp));
  const holes = times.flatMap((at, index) => (index > 0 && at - (times[index - 1] ?? at) > 1.5 * stepMs ? [index] : []));
  if (holes.length === 0) return { times, stepMs, ...columns };
  const opened = Object.entries(columns).map(([name, column]) => [name, insertBefore<number | null>(column, holes, () => null)]);
  // The same names as before, each with a column.
  return {
    ...(Object.fromEntries(opened) as typeof columns),
    times: insertBefore(times, holes, (index) => (times[index] ?? 0) - stepMs),
    stepMs,
  };
}

function insertBefore<Value>(values: readonly Value[], places: readonly number[], make: (index: number) => Value): Value[] {
  const wanted = new Set(places);
  return values.flatMap((value, index) => (wanted.has(index) ? [make(index), value] : [value]));
}

/** The place of the time nearest to `at`; undefined when there is none at all. */
export function nearestIndex(times: readonly number[], at: number): number | undefined {
  if (times.length === 0) return undefined;
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const after = times[low] ?? 0;
  const before = times[low - 1];
  return before !== undefined && at - before < after - at ? low - 1 : low;
}

export interface Extent {
  latest: number | null;
  lowest: number | null;
  highest: number | null;
}

/** The last, the least and the greatest of the values that are known. */
export function extentOf(column: Column): Extent {
  const extent: Extent = { latest: null, lowest: null, highest: null };
  for (const value of column) {
    if (value === null) continue;
    extent.latest = value;
    extent.lowest = Math.min(extent.lowest ?? value, value);
    extent.highest = Math.max(extent.highest ?? value, value);
  }
  return extent;
}

/** The greatest value known of several columns. */
export function peakOf(...columns: Column[]): number | null {
  return extentOf(columns.map((column) => extentOf(column).highest)).highest;
}

/** Values that stand alone between gaps: a line would not show them. */
export function lonelyIndices(column: ArrayLike<number | null | undefined>): number[] {
  const isGap = (index: number): boolean => column[index] === null || column[index] === undefined;
  return Array.from({ length: column.length }, (_, index) => index).filter(
    (index) => !isGap(index) && isGap(index - 1) && isGap(index + 1),
  );
}
