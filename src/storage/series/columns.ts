import { CorruptBytes } from "./envelope.ts";

/**
 * Columns of whole numbers as bytes; the one format of journal and chunks, byte by byte in docs/decisions/007-series.md.
 * Each column: the largest power of two that divides all its values is taken out, then differences from value to value are written zigzag
 * in base 128; absent values (NaN) are a bitmap.
 */
const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 64;
/** Twice the difference of two such numbers is still exact in a double. */
export const LARGEST_VALUE = 2 ** 52;
const LONGEST_VARINT = 8;

const NONE = 0;
const ALL = 1;
const SOME = 2;

/** Columns of the same length, whole numbers from 0 to {@link LARGEST_VALUE}, or NaN. Throws RangeError for any other. */
export function encodeColumns(columns: readonly Float64Array[]): Uint8Array<ArrayBuffer> {
  const rows = columns[0]?.length ?? 0;
  const bytes = new Uint8Array(2 * LONGEST_VARINT + columns.length * (1 + Math.ceil(rows / 8) + rows * LONGEST_VARINT));
  let at = writeVarint(bytes, writeVarint(bytes, 0, rows), columns.length);
  for (const column of columns) at = writeColumn(bytes, at, column);
  return bytes.subarray(0, at);
}

/** The columns of {@link encodeColumns}. Throws CorruptBytes. */
export function decodeColumns(bytes: Uint8Array): Float64Array[] {
  const cursor: Cursor = { bytes, at: 0 };
  const rows = readVarint(cursor);
  const count = readVarint(cursor);
  if (rows > MAX_ROWS || count > MAX_COLUMNS) throw new CorruptBytes(`${rows} rows in ${count} columns`);
  const columns = Array.from({ length: count }, () => readColumn(cursor, rows));
  if (cursor.at !== bytes.length) throw new CorruptBytes("bytes are left over");
  return columns;
}

/** Writes a column from `start` on; answers where it ends. */
function writeColumn(bytes: Uint8Array, start: number, column: Float64Array): number {
  const { present, shift } = survey(column);
  const presence = present === 0 ? NONE : present === column.length ? ALL : SOME;
  let at = start;
  bytes[at++] = presence | (shift << 2);
  if (presence === NONE) return at;
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

/** How many values there are, and by how many bits all of them can be shifted down. */
function survey(column: Float64Array): { present: number; shift: number } {
  let present = 0;
  let lowBits = 0;
  let nonZero = false;
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value) || value > LARGEST_VALUE || value < 0)
      throw new RangeError(`${value} is not a whole number from 0 to 2^52`);
    present += 1;
    lowBits |= value;
    if (value !== 0) nonZero = true;
  }
  if (!nonZero) return { present, shift: 0 };
  // A bitwise operation sees the lowest 32 bits: none set means that all values are multiples of 2^32.
  return { present, shift: lowBits === 0 ? 32 : 31 - Math.clz32(lowBits & (-lowBits | 0)) };
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
}

function readColumn(cursor: Cursor, rows: number): Float64Array {
  const { bytes } = cursor;
  const head = readByte(cursor);
  const presence = head & 3;
  const scale = 2 ** (head >> 2);
  const column = new Float64Array(rows).fill(Number.NaN);
  if (presence === NONE) return column;
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
