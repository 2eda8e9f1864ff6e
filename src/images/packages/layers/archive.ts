import { type Duplex, pipeline, Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { extract, type ExtractEvents, type Header } from "tar-stream";

/** An entry of an archive. */
export interface Entry {
  name: string;
  type: "file" | "folder" | "link" | "other";
  /** Of a link: what it leads to. */
  target: string;
  size: number;
}

/** Takes an entry; answers what is to be done with its content once it is read, or undefined to pass over it. */
export type TakeEntry = (entry: Entry) => ((content: Buffer) => void) | undefined;

/** Old archives say no format; what is none at all fails by its check sums. */
const OPTIONS = { highWaterMark: 256 * 1024, allowUnknownFormat: true };

/** Reads an archive entry by entry, never more of it in memory than one file. Throws when it is broken, and what `take` throws. */
export async function readArchive(bytes: AsyncIterable<Buffer>, take: TakeEntry): Promise<void> {
  const archive = extract(OPTIONS);
  const state: { failure: unknown; isOver: boolean; wake: () => void } = { failure: undefined, isOver: false, wake: () => undefined };
  archive.on("error", (error: unknown) => (state.failure ??= error));
  archive.on("drain", () => state.wake());
  for (const event of ["finish", "close"]) {
    archive.on(event, () => {
      state.isOver = true;
      state.wake();
    });
  }
  archive.on("entry", (headers, content, next) => {
    // Whatever is wrong is reported by the archive itself as well.
    content.on("error", () => undefined);
    try {
      takeContent(take(entryOf(headers)), content, next);
    } catch (error) {
      next(asError(error));
    }
  });
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      state.wake = resolve;
      if (state.isOver) resolve();
    });
  try {
    for await (const chunk of bytes) {
      if (state.failure !== undefined) break;
      if (!archive.write(chunk)) await woken();
    }
    if (state.failure === undefined) {
      archive.end(null);
      await woken();
    }
    if (state.failure !== undefined) throw state.failure;
  } finally {
    archive.destroy(null);
  }
}

type Content = ExtractEvents["entry"][1];

function takeContent(use: ((content: Buffer) => void) | undefined, content: Content, next: ExtractEvents["entry"][2]): void {
  const parts: Buffer[] = [];
  if (use !== undefined) content.on("data", (part) => parts.push(part as Buffer));
  content.on("end", () => {
    try {
      use?.(Buffer.concat(parts));
      next(null);
    } catch (error) {
      next(asError(error));
    }
  });
  content.resume();
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function entryOf({ name, type, linkname, size }: Header): Entry {
  const kind =
    type === "file" || type === "contiguous-file" ? "file" : type === "directory" ? "folder" : type === "link" ? "link" : "other";
  return { name, type: kind, target: linkname, size };
}

const CHUNK_BYTES = 64 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Of a skippable frame, with which some writers begin. */
const ZSTD_SKIPPABLE = Buffer.from([0x2a, 0x4d, 0x18]);

/** A layer's bytes as an archive: unpacked by what they begin with, since media types lie. Throws when they break off or are corrupt. */
export async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 4) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = joined(head, iterator);
  if (head.subarray(0, 2).equals(GZIP)) yield* through(whole, createGunzip({ chunkSize: CHUNK_BYTES }));
  else if (head.subarray(0, 4).equals(ZSTD) || head.subarray(1, 4).equals(ZSTD_SKIPPABLE))
    yield* through(zstdFrames(whole), createZstdDecompress({ chunkSize: CHUNK_BYTES }));
  else yield* whole;
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* through(chunks: AsyncIterable<Buffer>, decompressor: Duplex): AsyncGenerator<Buffer> {
  // What goes wrong arrives where the decompressor is read.
  pipeline(Readable.from(chunks, { objectMode: false, highWaterMark: CHUNK_BYTES }), decompressor, () => undefined);
  for await (const chunk of decompressor) yield chunk;
}

/**
 * Cuts compressed bytes at the ends of Zstandard's frames. Node's decompressor drops what follows a frame within the bytes of one write, and layers
 * may have a frame a file; handed each frame in separate writes, it continues. Source: RFC 8878, section 3.1.
 */
const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const LAST_BLOCK = 1;
const RUN_BLOCK = 1;

/** The same bytes in pieces that each belong to one frame; skippable frames are left out. Throws when they are no frames. */
async function* zstdFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let state: "header" | "block" | "body" | "checksum" | "skipped" = "header";
  /** Bytes until the state changes. */
  let left = 0;
  let isLast = false;
  let hasChecksum = false;
  let held: Buffer = Buffer.alloc(0);

  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (state === "header") {
        const size = headerSize(held);
        if (size === undefined) break;
        if (size.skip > 0) [state, left] = ["skipped", size.skip];
        else {
          hasChecksum = size.hasChecksum;
          state = "block";
          yield held.subarray(0, size.header);
          held = held.subarray(size.header);
          continue;
        }
      }
      if (state === "block") {
        if (held.length < 3) break;
        const header = held.readUIntLE(0, 3);
        isLast = (header & LAST_BLOCK) === 1;
        // A run is a single byte, however long.
        left = 3 + (((header >> 1) & 3) === RUN_BLOCK ? 1 : header >> 3);
        state = "body";
      }
      const piece = held.subarray(0, left);
      if (piece.length > 0 && state !== "skipped") yield piece;
      left -= piece.length;
      held = held.subarray(piece.length);
      if (left > 0) break;
      if (state === "body" && !isLast) state = "block";
      else if (state === "body" && hasChecksum) [state, left] = ["checksum", 4];
      else state = "header";
      if (held.length === 0) break;
    }
  }
  if (state !== "header" || held.length > 0) throw new Error("it ends within a frame");
}

/** Undefined while there are too few bytes to say. `skip` is the whole of a skippable frame. */
function headerSize(held: Buffer): { header: number; hasChecksum: boolean; skip: number } | undefined {
  if (held.length < 8) return held.length < 4 || isMagic(held) ? undefined : fail();
  const magic = held.readUInt32LE(0);
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) return { header: 0, hasChecksum: false, skip: 8 + held.readUInt32LE(4) };
  if (magic !== MAGIC) return fail();
  const descriptor = held.readUInt8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const header = 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
  return held.length < header ? undefined : { header, hasChecksum: (descriptor & 4) !== 0, skip: 0 };
}

function isMagic(held: Buffer): boolean {
  const magic = held.readUInt32LE(0);
  return magic === MAGIC || (magic & 0xfffffff0) >>> 0 === SKIPPABLE;
}

function fail(): never {
  throw new Error("it is no frame of Zstandard");
}
