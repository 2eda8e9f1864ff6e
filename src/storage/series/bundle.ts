import { CorruptBytes, isCompressed, open, seal } from "./envelope.ts";

/**
 * How many series share a row. With one row for each series, pages of the database would be half empty and each series compressed separately; with
 * many in a row, reading one of them would be slow.
 */
export const BUNDLE_SIZE = 8;

export function bundleOf(id: number): number {
  return Math.floor(id / BUNDLE_SIZE);
}

/** An entry of the directory: the place of a chunk, and its length in four bytes. */
const ENTRY_BYTES = 5;

/** Packs the chunks of neighbouring series, by their place in the bundle, into one row: count, directory, chunks. */
export function packBundle(chunks: ReadonlyMap<number, Uint8Array>, { compress }: { compress: boolean }): Uint8Array<ArrayBuffer> {
  let at = 1 + chunks.size * ENTRY_BYTES;
  const bytes = new Uint8Array([...chunks.values()].reduce((sum, chunk) => sum + chunk.length, at));
  const view = new DataView(bytes.buffer);
  bytes[0] = chunks.size;
  let entry = 1;
  for (const [place, chunk] of chunks) {
    bytes[entry] = place;
    view.setUint32(entry + 1, chunk.length, true);
    bytes.set(chunk, at);
    entry += ENTRY_BYTES;
    at += chunk.length;
  }
  return seal(bytes, { compress });
}

/** The chunks of a row, by their place. Throws CorruptBytes. */
export function unpackBundle(row: Uint8Array): Map<number, Uint8Array> {
  const bytes = open(row);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const directoryEnd = 1 + (bytes[0] ?? 0) * ENTRY_BYTES;
  if (bytes.length < directoryEnd) throw new CorruptBytes("cut short");
  const chunks = new Map<number, Uint8Array>();
  let at = directoryEnd;
  for (let entry = 1; entry < directoryEnd; entry += ENTRY_BYTES) {
    const length = view.getUint32(entry + 1, true);
    chunks.set(bytes[entry] ?? 0, bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** The row without some of its series; the same row when it has none of them; undefined when nothing is left or it cannot be read. */
export function withoutPlaces(row: Uint8Array, places: ReadonlySet<number>): Uint8Array | undefined {
  try {
    const chunks = unpackBundle(row);
    const left = new Map([...chunks].filter(([place]) => !places.has(place)));
    if (left.size === 0) return undefined;
    return left.size === chunks.size ? row : packBundle(left, { compress: isCompressed(row) });
  } catch (error) {
    if (error instanceof CorruptBytes) return undefined;
    throw error;
  }
}

/** The row with one series only, if that needs no work: a compressed or corrupt row is returned unchanged. */
export function narrowed(row: Uint8Array, place: number): Uint8Array {
  if (isCompressed(row)) return row;
  try {
    const chunk = unpackBundle(row).get(place);
    return packBundle(new Map(chunk && [[place, chunk]]), { compress: false });
  } catch (error) {
    if (error instanceof CorruptBytes) return row;
    throw error;
  }
}
