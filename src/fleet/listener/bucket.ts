/** A token bucket that holds one second's worth. What is larger than it passes when it is full, and is paid off afterwards. */
export interface Bucket {
  /** Takes at once and answers 0, or takes nothing and answers for how many milliseconds to wait. */
  take(count: number, nowMs: number): number;
}

export function createBucket(perSecond: number, nowMs: number): Bucket {
  // In thousandths, which are whole at each millisecond: whoever waited as told is not turned away for a rounding.
  const full = perSecond * 1000;
  let tokens = full;
  let atMs = nowMs;
  return {
    take(count, now) {
      tokens = Math.min(full, tokens + (now - atMs) * perSecond);
      atMs = now;
      const missing = Math.min(count * 1000, full) - tokens;
      if (missing > 0) return Math.ceil(missing / perSecond);
      tokens -= count * 1000;
      return 0;
    },
  };
}
