/** How long answers took, by name; emptied each time it is read. */
export interface Latencies {
  add(name: string, ms: number): void;
  /** Since the last time. */
  take(name: string): number[];
  /** All of them, for the summary. */
  all(): ReadonlyMap<string, readonly number[]>;
}

export function createLatencies(): Latencies {
  const whole = new Map<string, number[]>();
  const latest = new Map<string, number[]>();
  return {
    add(name, ms) {
      for (const map of [whole, latest]) {
        const known = map.get(name);
        if (known === undefined) map.set(name, [ms]);
        else known.push(ms);
      }
    },
    take: (name) => latest.get(name)?.splice(0) ?? [],
    all: () => whole,
  };
}
