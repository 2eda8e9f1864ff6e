import type { FileHandle } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";

/** A file in a zip file: where its local header begins, and how long it is there. */
export interface ZipEntry {
  name: string;
  at: number;
  packedBytes: number;
}

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 65_535;
const MOST_DIRECTORY_BYTES = 512 * 1_048_576;
const READ_BYTES = 1_048_576;
/** Beside the local header: its name and what else it says. Longer ones cost a second look. */
const LOCAL_ROOM = 512;
const UNKNOWN = 0xffff_ffff;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** What a zip file is not, as the end of a sentence. */
export class ZipError extends Error {}

/**
 * The files in a zip file, in the order of its directory, which is read piece by piece. Those of 4 GB and more are left out. Throws a ZipError.
 * Source: PKWARE, APPNOTE.TXT, sections 4.3 and 4.5.3.
 */
export async function* zipEntries(file: FileHandle): AsyncGenerator<ZipEntry> {
  const { size } = await file.stat();
  const { start, bytes } = await findDirectory(file, size);
  if (start + bytes > size || bytes > MOST_DIRECTORY_BYTES) throw new ZipError("its directory is not where it should be");
  let held = Buffer.alloc(0);
  let next = start;
  const end = start + bytes;
  for (;;) {
    let at = 0;
    for (let entry = entryAt(held, at); entry !== undefined; entry = entryAt(held, at)) {
      at += entry.bytes;
      if (entry.at !== UNKNOWN && entry.packedBytes !== UNKNOWN) yield entry;
    }
    held = held.subarray(at);
    if (next >= end) break;
    const piece = await readAt(file, next, Math.min(READ_BYTES, end - next));
    next += piece.length;
    held = Buffer.concat([held, piece]);
  }
  if (held.length > 0) throw new ZipError("its directory is cut off");
}

async function findDirectory(file: FileHandle, size: number): Promise<{ start: number; bytes: number }> {
  const tailAt = Math.max(0, size - END_BYTES - LOCATOR_BYTES - LONGEST_COMMENT);
  const tail = await readAt(file, tailAt, size - tailAt);
  const end = tail.lastIndexOf("PK\u0005\u0006", tail.length - END_BYTES, "latin1");
  if (end === -1) throw new ZipError("it is no zip file, or it is cut off");
  const bytes = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.toString("latin1", locator, locator + 4) !== "PK\u0006\u0007") return { start, bytes };
  const end64 = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), END64_BYTES);
  if (end64.toString("latin1", 0, 4) !== "PK\u0006\u0006") throw new ZipError("its directory is not where it should be");
  return { start: Number(end64.readBigUInt64LE(48)), bytes: Number(end64.readBigUInt64LE(40)) };
}

/** Undefined when the entry is not wholly there. */
function entryAt(held: Buffer, at: number): (ZipEntry & { bytes: number }) | undefined {
  if (held.length - at < ENTRY_BYTES) return undefined;
  if (held.toString("latin1", at, at + 4) !== "PK\u0001\u0002") throw new ZipError("its directory is damaged");
  const nameBytes = held.readUInt16LE(at + 28);
  const bytes = ENTRY_BYTES + nameBytes + held.readUInt16LE(at + 30) + held.readUInt16LE(at + 32);
  if (held.length - at < bytes) return undefined;
  const name = held.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
  return { name, bytes, at: held.readUInt32LE(at + 42), packedBytes: held.readUInt32LE(at + 20) };
}

/** The content of a file in a zip file. Throws a ZipError; also when it has more than `maxBytes`. */
export async function readZipEntry(file: FileHandle, { at, packedBytes }: Omit<ZipEntry, "name">, maxBytes: number): Promise<Buffer> {
  if (packedBytes > maxBytes) throw new ZipError("a file in it is too large");
  const held = await readUpTo(file, at, LOCAL_BYTES + LOCAL_ROOM + packedBytes);
  if (held.length < LOCAL_BYTES || held.toString("latin1", 0, 4) !== "PK\u0003\u0004") throw new ZipError("it is damaged or was changed");
  const from = LOCAL_BYTES + held.readUInt16LE(26) + held.readUInt16LE(28);
  const packed = from + packedBytes <= held.length ? held.subarray(from, from + packedBytes) : await readAt(file, at + from, packedBytes);
  const method = held.readUInt16LE(8);
  if ((held.readUInt16LE(6) & ENCRYPTED) !== 0) throw new ZipError("a file in it is encrypted");
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new ZipError("a file in it has an unknown compression method");
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch {
    throw new ZipError("a file in it is damaged or too large");
  }
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const held = Number.isSafeInteger(at) ? await readUpTo(file, at, bytes) : Buffer.alloc(0);
  if (held.length < bytes) throw new ZipError("it is cut off");
  return held;
}

/** Less than asked for only at the end of the file. */
async function readUpTo(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read)
    ({ bytesRead: read } = await file.read(buffer, length, bytes - length, at + length));
  return buffer.subarray(0, length);
}
