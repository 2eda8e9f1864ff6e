export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  bytes(count: number): Buffer;
}

/** Chance that can be repeated: the same seed gives the same numbers. Source: Tommy Ettinger's mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))) };
}
