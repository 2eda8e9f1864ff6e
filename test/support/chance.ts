/** Chance that can be repeated: the same seed gives the same numbers in [0, 1). Source: Tommy Ettinger's mulberry32. */
export function createChance(seed: number): { next(): number; below(limit: number): number } {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return { next, below: (limit) => Math.floor(next() * limit) };
}
