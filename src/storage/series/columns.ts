import { CorruptBytes, open, seal } from "./envelope.ts";
import type { SeriesColumn, SeriesTick } from "./series.ts";

/**
 * Encodes columns of whole numbers as bytes: the one format of journal and chunks, described byte by byte in docs/decisions/007-series.md. In each
 * column the largest power of two that divides all values is factored out. The differences from value to value are written zigzag in base 128, only
 * one if all are equal; absent values (NaN) are a bitmap.
 */
const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 64;
/** Twice the difference of two such numbers is exact in a double. */
export const LARGEST_VALUE = 2 ** 52;
const LONGEST_VARINT = 8;
const LARGEST_SCRATCH = 1024 * 1024;

const NONE = 0;
const ALL = 1;
const SOME = 2;
/** All values are present and equal to the first. */
const SAME = 3;

/** Encodes columns of equal length, of whole numbers from 0 to {@link LARGEST_VALUE}, or NaN. Throws a RangeError for any other value. */
export function encodeColumns(columns: readonly Float64Array[]): Uint8Array<ArrayBuffer> {
  const rows = columns[0]?.length ?? 0;
  const bytes = scratchOf(2 * LONGEST_VARINT + columns.length * (1 + Math.ceil(rows / 8) + rows * LONGEST_VARINT));
  let at = writeVarint(bytes, writeVarint(bytes, 0, rows), columns.length);
  for (const column of columns) at = writeColumn(bytes, at, column);
  return bytes.slice(0, at);
}

let scratch = new Uint8Array(0);

/** A buffer that is used again each time: it is far larger than what is written, and clearing it would cost as much as writing. */
function scratchOf(size: number): Uint8Array<ArrayBuffer> {
  if (size > LARGEST_SCRATCH) return new Uint8Array(size);
  if (scratch.length < size) scratch = new Uint8Array(size);
  return scratch;
}

/** Makes room for this many values. */
export type MakeRoom = (size: number) => Float64Array;

/** The same buffer each time, for columns that are not needed any more when the next ones are decoded. */
export function reusedRoom(): MakeRoom {
  let room = new Float64Array(0);
  return (size) => {
    if (room.length < size) room = new Float64Array(size);
    return room.subarray(0, size);
  };
}

/** Decodes the columns of {@link encodeColumns}, one after another in one buffer. Throws CorruptBytes. */
export function decodeColumns(bytes: Uint8Array, makeRoom: MakeRoom = (size) => new Float64Array(size)): Float64Array[] {
  const cursor: Cursor = { bytes, at: 0 };
  const rows = readVarint(cursor);
  const count = readVarint(cursor);
  if (rows > MAX_ROWS || count > MAX_COLUMNS) throw new CorruptBytes(`${rows} rows in ${count} columns`);
  // One buffer for all, since making one costs more than filling it.
  const values = makeRoom(count * rows);
  const columns = Array.from({ length: count }, (_, column) => readColumn(cursor, values.subarray(column * rows, (column + 1) * rows)));
  if (cursor.at !== bytes.length) throw new CorruptBytes("bytes are left over");
  return columns;
}

/** Writes a column at `start`; answers where it ends. */
function writeColumn(bytes: Uint8Array, start: number, column: Float64Array): number {
  const { presence, shift } = survey(column);
  let at = start;
  bytes[at++] = presence | (shift << 2);
  if (presence === NONE) return at;
  if (presence === SAME) return writeVarint(bytes, at, 2 * (column[0] ?? 0) * 2 ** -shift);
  if (presence === SOME) at = writeBitmap(bytes, at, column);
  const factor = 2 ** -shift;
  let previous = 0;
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const scaled = value * factor;
    const difference = scaled - previous;
    previous = scaled;
    const zigzag = difference >= 0 ? difference * 2 : difference * -2 - 1;
    if (zigzag < 128) bytes[at++] = zigzag;
    else at = writeVarint(bytes, at, zigzag);
  }
  return at;
}

function writeBitmap(bytes: Uint8Array, at: number, column: Float64Array): number {
  bytes.fill(0, at, at + Math.ceil(column.length / 8));
  for (let row = 0; row < column.length; row += 1)
    if (!Number.isNaN(column[row] ?? Number.NaN)) bytes[at + (row >> 3)] = (bytes[at + (row >> 3)] ?? 0) | (1 << (row & 7));
  return at + Math.ceil(column.length / 8);
}

function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let left = value;
  while (left >= 2 ** 31) {
    bytes[at++] = (left % 128) | 128;
    left = Math.floor(left / 128);
  }
  while (left >= 128) {
    bytes[at++] = (left & 127) | 128;
    left >>>= 7;
  }
  bytes[at++] = left;
  return at;
}

/** Which values are present, and by how many bits all of them can be shifted. */
function survey(column: Float64Array): { presence: number; shift: number } {
  const first = column[0] ?? Number.NaN;
  let present = 0;
  let same = 0;
  let lowBits = 0;
  let nonZero = false;
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (value > LARGEST_VALUE || value < 0 || Math.floor(value) !== value)
      throw new RangeError(`${value} is not a whole number from 0 to 2^52`);
    present += 1;
    if (value === first) same += 1;
    lowBits |= value;
    if (value !== 0) nonZero = true;
  }
  const presence = present === 0 ? NONE : same === column.length ? SAME : present === column.length ? ALL : SOME;
  if (!nonZero) return { presence, shift: 0 };
  // Bitwise operations use the lowest 32 bits: if none is set, all values are multiples of 2^32.
  return { presence, shift: lowBits === 0 ? 32 : 31 - Math.clz32(lowBits & (-lowBits | 0)) };
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
}

function readColumn(cursor: Cursor, column: Float64Array): Float64Array {
  const { bytes } = cursor;
  const rows = column.length;
  const head = readByte(cursor);
  const presence = head & 3;
  const scale = 2 ** (head >> 2);
  if (presence === NONE) return column.fill(Number.NaN);
  if (presence === SAME) return column.fill((readVarint(cursor) / 2) * scale);
  if (presence === SOME) column.fill(Number.NaN);
  const bitmap = cursor.at;
  if (presence === SOME) cursor.at += Math.ceil(rows / 8);
  let previous = 0;
  for (let row = 0; row < rows; row += 1) {
    if (presence === SOME && ((bytes[bitmap + (row >> 3)] ?? 0) & (1 << (row & 7))) === 0) continue;
    const first = bytes[cursor.at] ?? 128;
    let zigzag = first;
    if (first < 128) cursor.at += 1;
    else zigzag = readVarint(cursor);
    previous += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    column[row] = previous * scale;
  }
  return column;
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let factor = 1; factor < 2 ** 56; factor *= 128) {
    const next = readByte(cursor);
    if (next < 128) return value + next * factor;
    value += (next - 128) * factor;
  }
  throw new CorruptBytes("a number is too long");
}

function readByte(cursor: Cursor): number {
  const value = cursor.bytes[cursor.at++];
  if (value === undefined) throw new CorruptBytes("cut short");
  return value;
}

/** So that the sum of an hour fits: 2^43, in bytes 8 TiB. */
const LARGEST_SAMPLE = LARGEST_VALUE / 512;

/** A tick whose values are whole multiples of their units; anything but a number from 0 to 2^43 units is absent. */
export function quantize({ atMs, ids, columns }: SeriesTick, family: readonly SeriesColumn[]): SeriesTick {
  // Kept for an hour: one buffer for all fragments the memory less than many.
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

/** The bytes of a row in the journal: the ids are the first column. */
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
