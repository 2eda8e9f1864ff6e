import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const PLAIN = 1;
const ZSTD = 2;
const HEADER_BYTES = 5;
const LARGEST_BYTES = 256 * 1024 * 1024;

/** Bytes that differ from what was written; the message says how that was found. */
export class CorruptBytes extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CorruptBytes";
  }
}

/**
 * A row in its stored form: how it is packed, the checksum of the rest, then the bytes. `compress` tries zstd. It is not for rows of which many are
 * read at once, since opening one would cost more than everything else done with it.
 */
export function seal(bytes: Uint8Array, { compress }: { compress: boolean }): Uint8Array<ArrayBuffer> {
  const packed = compress ? zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }) : bytes;
  const [form, body] = packed.length < bytes.length ? [ZSTD, packed] : [PLAIN, bytes];
  const sealed = new Uint8Array(HEADER_BYTES + body.length);
  sealed[0] = form;
  new DataView(sealed.buffer).setUint32(1, crc32(body), true);
  sealed.set(body, HEADER_BYTES);
  return sealed;
}

export function isCompressed(sealed: Uint8Array): boolean {
  return sealed[0] === ZSTD;
}

/** The bytes inside {@link seal}. Throws CorruptBytes. */
export function open(sealed: Uint8Array): Uint8Array {
  if (sealed.length <= HEADER_BYTES) throw new CorruptBytes("cut short");
  const body = sealed.subarray(HEADER_BYTES);
  if (new DataView(sealed.buffer, sealed.byteOffset).getUint32(1, true) !== crc32(body))
    throw new CorruptBytes("the checksum does not match");
  if (sealed[0] === PLAIN) return body;
  if (sealed[0] !== ZSTD) throw new CorruptBytes(`unknown form ${sealed[0]}`);
  try {
    return zstdDecompressSync(body, { maxOutputLength: LARGEST_BYTES });
  } catch (error) {
    throw new CorruptBytes(`not decompressed: ${String(error)}`);
  }
}
