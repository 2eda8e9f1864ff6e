/** Straight lines through measurements. */
export interface Point {
  /** Since the soak began. */
  atMs: number;
  value: number;
}

export interface Line {
  /** On the line, at the first and the last point. */
  from: number;
  to: number;
  spanMs: number;
  /** The share of the movement that the line explains, 0 to 1. */
  fit: number;
}

/** The line of least squares; undefined when there are too few points to have one. */
export function fitLine(points: readonly Point[]): Line | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < FEWEST_POINTS || last.atMs <= first.atMs) return undefined;
  const meanAt = mean(points.map(({ atMs }) => atMs));
  const meanValue = mean(points.map(({ value }) => value));
  let covariance = 0;
  let spread = 0;
  let movement = 0;
  for (const { atMs, value } of points) {
    covariance += (atMs - meanAt) * (value - meanValue);
    spread += (atMs - meanAt) ** 2;
    movement += (value - meanValue) ** 2;
  }
  const slope = covariance / spread;
  return {
    from: meanValue + slope * (first.atMs - meanAt),
    to: meanValue + slope * (last.atMs - meanAt),
    spanMs: last.atMs - first.atMs,
    fit: movement === 0 ? 0 : (slope * covariance) / movement,
  };
}

/** Fewer say nothing of a direction. */
const FEWEST_POINTS = 5;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which so many percent lie. NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
