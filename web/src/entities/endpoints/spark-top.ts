/** In milliseconds. */
const TOPS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000];
const MOST_OF_HEIGHT = 0.85;

/** What reaches the top of a sparkline of response times: the first of these that leaves room above the highest, so that calm looks calm. */
export function sparkTop(points: readonly (number | null)[]): number {
  const highest = points.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return TOPS.find((top) => highest <= top * MOST_OF_HEIGHT) ?? 60_000;
}
