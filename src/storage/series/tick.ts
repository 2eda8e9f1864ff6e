import { decodeColumns, encodeColumns, LARGEST_VALUE } from "./columns.ts";
import { CorruptBytes, open, seal } from "./envelope.ts";
import type { SeriesColumn, SeriesTick } from "./series.ts";

/** So that the sum of an hour still fits: 2^43, as bytes 8 TiB. */
const LARGEST_SAMPLE = LARGEST_VALUE / 512;

/** A tick whose values are whole multiples of their units; what is not a number from 0 to 2^43 units is absent. */
export function quantize({ atMs, ids, columns }: SeriesTick, family: readonly SeriesColumn[]): SeriesTick {
  return { atMs, ids, columns: family.map(({ unit }, index) => wholeMultiples(columns[index], ids.length, unit)) };
}

function wholeMultiples(values: Float64Array | undefined, length: number, unit: number): Float64Array {
  const whole = new Float64Array(length);
  for (let place = 0; place < length; place += 1) {
    const value = Math.round((values?.[place] ?? Number.NaN) / unit);
    whole[place] = value >= 0 && value <= LARGEST_SAMPLE ? value : Number.NaN;
  }
  return whole;
}

/** A row of the journal: the ids as a column before the others. */
export function encodeTick({ ids, columns }: SeriesTick): Uint8Array<ArrayBuffer> {
  return seal(encodeColumns([Float64Array.from(ids), ...columns]));
}

/** Throws CorruptBytes. */
export function decodeTick(atMs: number, bytes: Uint8Array, columnCount: number): SeriesTick {
  const [ids, ...columns] = decodeColumns(open(bytes));
  if (ids === undefined || columns.length !== columnCount || ids.some(Number.isNaN))
    throw new CorruptBytes(`${columns.length} columns instead of ${columnCount}`);
  return { atMs, ids: [...ids], columns };
}
