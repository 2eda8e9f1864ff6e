/**
 * Reads a table of an SQLite file that is whole in memory. SQLite itself is not asked: the file comes from an image, and what a hostile one makes
 * the library do could not be stopped. Source: https://www.sqlite.org/fileformat2.html
 */

/** A column's value: bytes, text and whole numbers are all that is needed. */
export type SqliteValue = Buffer | string | number | null;

const MAGIC = "SQLite format 3\0";
const INTERIOR = 0x05;
const LEAF = 0x0d;

/** The rows of a table, in its order. Throws when the file is no SQLite database, is broken, or has no such table. */
export function* readSqliteTable(file: Buffer, table: string): Generator<SqliteValue[]> {
  const pages = openPages(file);
  for (const [type, name, , root] of pages.rows(1)) {
    if (type !== "table" || name !== table || typeof root !== "number") continue;
    yield* pages.rows(root);
    return;
  }
  throw new Error(`it has no table "${table}"`);
}

function openPages(file: Buffer) {
  if (file.length < 512 || file.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new Error("it is no SQLite database");
  const declared = file.readUInt16BE(16);
  const pageSize = declared === 1 ? 65_536 : declared;
  const usable = pageSize - file.readUInt8(20);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || usable < 480) throw new Error("its pages have an impossible size");
  /** Each page is read once at most: a file cannot send its reader in circles. */
  const read = new Set<number>();

  function page(number: number): Buffer {
    const start = (number - 1) * pageSize;
    if (number < 1 || start + pageSize > file.length) throw new Error("a page of it is missing");
    if (read.has(number)) throw new Error("its pages lead in circles");
    read.add(number);
    return file.subarray(start, start + pageSize);
  }

  function* rows(root: number): Generator<SqliteValue[]> {
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const bytes = page(number);
      // The first page begins with the header of the file.
      const head = number === 1 ? 100 : 0;
      const kind = bytes.readUInt8(head);
      const cells = bytes.readUInt16BE(head + 3);
      if (kind === LEAF) {
        // Cells that overlap could make one page stand for thousands of times its size.
        let left = bytes.length;
        for (let cell = 0; cell < cells; cell += 1) {
          const { payload, localBytes } = payloadAt(bytes, bytes.readUInt16BE(head + 8 + cell * 2));
          left -= localBytes;
          if (left < 0) throw new Error("rows of it overlap");
          yield recordOf(payload);
        }
      } else if (kind === INTERIOR) {
        const children = Array.from({ length: cells }, (_, cell) => bytes.readUInt32BE(bytes.readUInt16BE(head + 12 + cell * 2)));
        waiting.push(bytes.readUInt32BE(head + 8), ...children.reverse());
      } else throw new Error("a page of its table is of another kind");
    }
  }

  /** A cell's content, gathered from the pages that it overflows into, and how much of it is in its own page. */
  function payloadAt(bytes: Buffer, at: number): { payload: Buffer; localBytes: number } {
    const [size, afterSize] = varint(bytes, at);
    const [, start] = varint(bytes, afterSize);
    if (size > file.length) throw new Error("a row of it is larger than the file");
    const most = usable - 35;
    const least = Math.trunc(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((size - least) % (usable - 4));
    const local = size <= most ? size : fitting <= most ? fitting : least;
    const parts = [bytes.subarray(start, start + local)];
    let missing = size - local;
    let next = missing > 0 ? bytes.readUInt32BE(start + local) : 0;
    while (missing > 0) {
      const overflow = page(next);
      const part = overflow.subarray(4, 4 + Math.min(missing, usable - 4));
      parts.push(part);
      missing -= part.length;
      next = overflow.readUInt32BE(0);
    }
    return { payload: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts), localBytes: start - at + local };
  }

  return { rows };
}

function recordOf(payload: Buffer): SqliteValue[] {
  const [headerSize, afterSize] = varint(payload, 0);
  const values: SqliteValue[] = [];
  let [at, body] = [afterSize, headerSize];
  while (at < headerSize) {
    const [type, next] = varint(payload, at);
    const size = sizeOf(type);
    if (body + size > payload.length) throw new Error("a row of it is cut off");
    values.push(valueOf(type, payload.subarray(body, body + size)));
    at = next;
    body += size;
  }
  return values;
}

const INTEGER_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

function sizeOf(type: number): number {
  return type < 12 ? (INTEGER_SIZES[type] ?? 0) : Math.trunc((type - 12) / 2);
}

function valueOf(type: number, bytes: Buffer): SqliteValue {
  if (type >= 12) return type % 2 === 0 ? bytes : bytes.toString("utf8");
  if (type === 8 || type === 9) return type - 8;
  if (type >= 1 && type <= 5) return bytes.readIntBE(0, bytes.length);
  return type === 6 ? Number(bytes.readBigInt64BE(0)) : null;
}

/** A whole number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes.readUInt8(start + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, start + index + 1];
  }
  return [value * 256 + bytes.readUInt8(start + 8), start + 9];
}
