import { pipeline, Readable, type Duplex } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { zstdFrames } from "./zstd-frames.ts";

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
