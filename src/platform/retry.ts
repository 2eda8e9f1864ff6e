/** Waits that grow exponentially. */
export interface Backoff {
  /** The next wait in milliseconds: doubled each time up to the maximum, with plus or minus 25 percent of jitter. */
  nextMs(): number;
  /** After a success: starts again with the shortest wait. */
  reset(): void;
}

export function createBackoff({
  firstMs,
  ceilingMs,
  random = Math.random,
}: {
  firstMs: number;
  ceilingMs: number;
  random?: () => number;
}): Backoff {
  let attempt = 0;
  return {
    nextMs() {
      const plain = Math.min(ceilingMs, firstMs * 2 ** Math.min(attempt, 30));
      attempt += 1;
      return Math.round(plain * (0.75 + random() * 0.5));
    },
    reset() {
      attempt = 0;
    },
  };
}
