import type { Grid } from "./compute.ts";
import { DETAIL, slotsOf } from "./levels.ts";

const FIRST_CAPACITY = 8;
const SLOTS = slotsOf(DETAIL);

/** The samples of one series in one hour, in the order in which they came; small for a container that lived only for a moment. */
export interface Samples {
  /** Keeps the values at a place of the columns as the sample of a slot; a slot that has one already is not changed. Answers by how many bytes it grew. */
  put(slot: number, columns: readonly Float64Array[], place: number): number;
  grid(): Grid;
}

export function createSamples(columnCount: number): Samples {
  let slots = new Uint16Array(0);
  /** Sample by sample. */
  let values = new Float64Array(0);
  let count = 0;
  let lastSlot = -1;

  function grow(): number {
    const capacity = Math.min(SLOTS, Math.max(FIRST_CAPACITY, Math.ceil(slots.length * 1.5)));
    const [oldSlots, oldValues] = [slots, values];
    slots = new Uint16Array(capacity);
    values = new Float64Array(capacity * columnCount);
    slots.set(oldSlots);
    values.set(oldValues);
    return slots.byteLength + values.byteLength - oldSlots.byteLength - oldValues.byteLength;
  }

  return {
    put(slot, columns, place) {
      // Mostly time goes on; only what comes late has to be looked for.
      if (slot <= lastSlot && slots.subarray(0, count).includes(slot)) return 0;
      const grown = count === slots.length ? grow() : 0;
      slots[count] = slot;
      for (let column = 0; column < columnCount; column += 1) values[count * columnCount + column] = columns[column]?.[place] ?? Number.NaN;
      count += 1;
      lastSlot = Math.max(lastSlot, slot);
      return grown;
    },
    grid() {
      return Array.from({ length: columnCount }, (_, column) => {
        const dense = new Float64Array(SLOTS).fill(Number.NaN);
        for (let sample = 0; sample < count; sample += 1) dense[slots[sample] ?? 0] = values[sample * columnCount + column] ?? Number.NaN;
        return dense;
      });
    },
  };
}
