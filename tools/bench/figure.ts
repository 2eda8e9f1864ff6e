/** One measured figure, as `--json` prints it. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The same measure of the simplest thing that could do it, from the same run; null where the bar is absolute. */
  baseline: number | null;
  /** value / baseline. */
  ratio: number | null;
  /** What it must hold, in words. */
  bar: string;
  ok: boolean;
  /** How far it may miss its bar in a quick run, as a factor; see gate.ts. */
  margin?: number;
}

/** A benchmark: what runs, and its figures. `quick` takes seconds and is for noticing that something broke. */
export interface Bench {
  name: string;
  about: string;
  /** A quick run leaves it out unless it is named: the gate judges little of it that tests do not, for the time it takes. */
  isLong?: true;
  run(options: { quick: boolean }): Promise<Figure[]>;
}

/** A figure whose bar is a ratio against the baseline: at most, or at least. */
export function ratioFigure(facts: {
  name: string;
  value: number;
  unit: string;
  baseline: number;
  atMost?: number;
  atLeast?: number;
}): Figure {
  const { name, value, unit, baseline, atMost = Infinity, atLeast = 0 } = facts;
  const ratio = value / baseline;
  const bar = atMost === Infinity ? `>= ${atLeast} of baseline` : `<= ${atMost} of baseline`;
  return { name, value, unit, baseline, ratio, bar, ok: ratio <= atMost && ratio >= atLeast };
}

/** A figure whose bar is absolute: at most, or at least. */
export function absoluteFigure(facts: {
  name: string;
  value: number;
  unit: string;
  atMost?: number;
  atLeast?: number;
  margin?: number;
}): Figure {
  const { name, value, unit, atMost = Infinity, atLeast = -Infinity, margin } = facts;
  const bar = atMost === Infinity ? `>= ${atLeast} ${unit}` : `<= ${atMost} ${unit}`;
  const ok = value <= atMost && value >= atLeast;
  return { name, value, unit, baseline: null, ratio: null, bar, ok, ...(margin !== undefined && { margin }) };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The smallest value that is not exceeded by that share of the values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
