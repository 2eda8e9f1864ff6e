/** A token bucket that holds one second's worth. What is larger than it passes when it is full, and is paid off afterwards. */
export interface Bucket {
  /** Takes at once and answers 0, or takes nothing and answers for how many milliseconds to wait. */
  take(count: number, nowMs: number): number;
}

export function createBucket(perSecond: number, nowMs: number): Bucket {
  let tokens = perSecond;
  let atMs = nowMs;
  return {
    take(count, now) {
      tokens = Math.min(perSecond, tokens + ((now - atMs) / 1000) * perSecond);
      atMs = now;
      const missing = Math.min(count, perSecond) - tokens;
      if (missing > 0) return Math.ceil((missing / perSecond) * 1000);
      tokens -= count;
      return 0;
    },
  };
}
