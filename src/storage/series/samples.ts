import type { Grid } from "./compute.ts";
import { DETAIL, slotsOf } from "./levels.ts";

/** Samples in a block: few enough for a container that lives only for a moment, and nothing is copied when one more is needed. */
const BLOCK = 20;
const SLOTS = slotsOf(DETAIL);

/** The samples of one series in one hour, in the order in which they came. */
export interface Samples {
  /** Keeps the values at a place of the columns as the sample of a slot; a slot that has one already is not changed. Answers by how many bytes it grew. */
  put(slot: number, columns: readonly Float64Array[], place: number): number;
  grid(): Grid;
}

export function createSamples(columnCount: number): Samples {
  /** Sample by sample: its slot, then its values. */
  const blocks: Float64Array[] = [];
  const width = 1 + columnCount;
  let count = 0;
  let lastSlot = -1;

  /** Calls back with the block and the place in it of each sample, until the answer is true. */
  function find(visit: (block: Float64Array, at: number) => boolean): boolean {
    for (let sample = 0; sample < count; sample += 1) {
      const block = blocks[Math.floor(sample / BLOCK)];
      if (block !== undefined && visit(block, (sample % BLOCK) * width)) return true;
    }
    return false;
  }

  return {
    put(slot, columns, place) {
      // Mostly time goes on; only what comes late has to be looked for.
      if (slot <= lastSlot && find((block, at) => block[at] === slot)) return 0;
      const isFull = count === blocks.length * BLOCK;
      if (isFull) blocks.push(new Float64Array(BLOCK * width));
      const block = blocks.at(-1);
      const at = (count % BLOCK) * width;
      if (block === undefined) return 0;
      block[at] = slot;
      for (let column = 0; column < columnCount; column += 1) block[at + 1 + column] = columns[column]?.[place] ?? Number.NaN;
      count += 1;
      lastSlot = Math.max(lastSlot, slot);
      return isFull ? block.byteLength : 0;
    },
    grid() {
      const grid = Array.from({ length: columnCount }, () => new Float64Array(SLOTS).fill(Number.NaN));
      find((block, at) => {
        const slot = block[at] ?? 0;
        grid.forEach((values, column) => (values[slot] = block[at + 1 + column] ?? Number.NaN));
        return false;
      });
      return grid;
    },
  };
}
