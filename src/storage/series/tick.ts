import { decodeColumns, encodeColumns, LARGEST_VALUE } from "./columns.ts";
import { CorruptBytes, open, seal } from "./envelope.ts";
import type { SeriesColumn, SeriesTick } from "./series.ts";

/** So that the sum of an hour still fits: 2^43, as bytes 8 TiB. */
const LARGEST_SAMPLE = LARGEST_VALUE / 512;

/** A tick whose values are whole multiples of their units; what is not a number from 0 to 2^43 units is absent. */
export function quantize({ atMs, ids, columns }: SeriesTick, family: readonly SeriesColumn[]): SeriesTick {
  // They stay for an hour: one buffer for all leaves fewer holes in the memory than many.
  const all = new Float64Array(family.length * ids.length);
  const whole = family.map((_, index) => all.subarray(index * ids.length, (index + 1) * ids.length));
  family.forEach(({ unit }, index) => putWholeMultiples(whole[index] ?? new Float64Array(), columns[index], unit));
  return { atMs, ids, columns: whole };
}

function putWholeMultiples(whole: Float64Array, values: Float64Array | undefined, unit: number): void {
  const perUnit = 1 / unit;
  for (let place = 0; place < whole.length; place += 1) {
    const value = Math.floor((values?.[place] ?? Number.NaN) * perUnit + 0.5);
    whole[place] = value >= 0 && value <= LARGEST_SAMPLE ? value : Number.NaN;
  }
}

/** A row of the journal: the ids as a column before the others. */
export function encodeTick({ ids, columns }: SeriesTick): Uint8Array<ArrayBuffer> {
  const places = new Float64Array(ids.length);
  for (let place = 0; place < places.length; place += 1) places[place] = ids[place] ?? Number.NaN;
  return seal(encodeColumns([places, ...columns]), { compress: false });
}

/** Throws CorruptBytes. */
export function decodeTick(atMs: number, bytes: Uint8Array, columnCount: number): SeriesTick {
  const [ids, ...columns] = decodeColumns(open(bytes));
  if (ids === undefined || columns.length !== columnCount || ids.some(Number.isNaN))
    throw new CorruptBytes(`${columns.length} columns instead of ${columnCount}`);
  return { atMs, ids: [...ids], columns };
}
