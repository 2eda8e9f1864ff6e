import type { Clock } from "../platform/clock.ts";
import { quotaKey } from "./client-address.ts";

/** Decides for each request of a client whether it may pass. */
export interface Limiter {
  admits(clientAddress: string): boolean;
}

/** How many clients one generation of counts holds. */
const CAPACITY = 50_000;

/** For each client: `burst` requests at once, refilled at `perSecond`. */
export function createTokenBuckets({
  perSecond,
  burst,
  clock,
  capacity = CAPACITY,
}: {
  perSecond: number;
  burst: number;
  clock: Clock;
  capacity?: number;
}): Limiter {
  const buckets = createRecentMap<{ tokens: number; atMs: number }>((burst / perSecond) * 1000, capacity);
  return {
    admits(clientAddress) {
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(quotaKey(clientAddress), nowMs, () => ({ tokens: burst, atMs: nowMs }));
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = nowMs;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}

/**
 * At most `count` requests of one client, and `countInAll` of all, in any `windowSeconds`. For small counts, since the time of each request is kept.
 */
export function createWindowLimit({
  count,
  countInAll = Infinity,
  windowSeconds,
  clock,
  capacity = CAPACITY,
}: {
  count: number;
  countInAll?: number;
  windowSeconds: number;
  clock: Clock;
  capacity?: number;
}): Limiter {
  const windowMs = windowSeconds * 1000;
  const admittedAt = createRecentMap<number[]>(windowMs, capacity);
  const allAdmittedAt: number[] = [];

  function forget(times: number[], nowMs: number): void {
    while (times[0] !== undefined && times[0] <= nowMs - windowMs) times.shift();
  }

  return {
    admits(clientAddress) {
      const nowMs = clock.monotonicMs();
      const times = admittedAt.get(quotaKey(clientAddress), nowMs, () => []);
      forget(times, nowMs);
      forget(allAdmittedAt, nowMs);
      if (times.length >= count || allAdmittedAt.length >= countInAll) return false;
      times.push(nowMs);
      if (countInAll !== Infinity) allAdmittedAt.push(nowMs);
      return true;
    },
  };
}

/**
 * A map in two generations. A value that was not used for `keepMs` may be forgotten: by then a bucket is full and a window empty, so nothing is lost.
 * At capacity the older generation is dropped early: a flood of addresses is forgiven, not stored.
 */
function createRecentMap<Value>(keepMs: number, capacity: number) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  let turnedAtMs = Number.NEGATIVE_INFINITY;
  return {
    get(key: string, nowMs: number, create: () => Value): Value {
      let value = young.get(key);
      const isDue = nowMs - turnedAtMs >= keepMs;
      if (isDue || (value === undefined && young.size >= capacity)) {
        old = young;
        young = new Map();
        turnedAtMs = nowMs;
        value = undefined;
      }
      if (value === undefined) {
        value = old.get(key) ?? create();
        young.set(key, value);
      }
      return value;
    },
  };
}
