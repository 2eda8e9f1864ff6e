/** PNG as browsers write it, eight bits a channel, and as pictures are kept: the part of the format that both need. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Rows of pixels, three bytes each: red, green, blue. */
export interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** A part of a picture, in its pixels. What lies beyond its edge is left out. */
export function cropPicture({ width, height, rgb }: Picture, part: { left: number; top: number; width: number; height: number }): Picture {
  const right = Math.min(width, part.left + part.width);
  const bottom = Math.min(height, part.top + part.height);
  const rows = Array.from({ length: Math.max(0, bottom - part.top) }, (_, row) =>
    rgb.subarray(((part.top + row) * width + part.left) * 3, ((part.top + row) * width + right) * 3),
  );
  return { width: right - part.left, height: rows.length, rgb: Buffer.concat(rows) };
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const PALETTE = 3;
/** Channels of a pixel by colour type: RGB, palette, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, [PALETTE]: 1, 6: 4 };
const MOST_COLOURS = 256;

/** Reads a picture; transparency is left out. Throws on what is no such PNG. */
export function decodePng(file: Uint8Array): Picture {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("not a PNG");
  const chunks = chunksOf(bytes);
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header === undefined) throw new Error("a PNG without a header");
  const [width, height, depth = 0, colourType = 0, interlace] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[8],
    header[9],
    header[12],
  ];
  const channels = CHANNELS[colourType];
  if (depth !== 8 || channels === undefined || interlace !== 0) throw new Error("a PNG of a kind that is not read here");
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const values = unfilter(inflateSync(packed, { maxOutputLength: (width * channels + 1) * height }), width * channels, channels);
  const palette = chunks.find(({ type }) => type === "PLTE")?.data;
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let channel = 0; channel < 3; channel += 1) {
      const value = values[pixel * channels + (colourType === PALETTE ? 0 : channel)] ?? 0;
      rgb[pixel * 3 + channel] = (colourType === PALETTE ? palette?.[value * 3 + channel] : value) ?? 0;
    }
  return { width, height, rgb };
}

function chunksOf(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

/** Takes back the filter of each row: what its bytes were predicted to be from those to the left and above. */
function unfilter(filtered: Uint8Array, stride: number, step: number): Uint8Array {
  const height = filtered.length / (stride + 1);
  const out = new Uint8Array(stride * height);
  let above = new Uint8Array(stride);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1) + 1;
    const current = out.subarray(row * stride, (row + 1) * stride);
    current.set(filtered.subarray(from, from + stride));
    addPredicted(current, { filter: filtered[from - 1] ?? 0, above, step });
    above = current;
  }
  return out;
}

/** A loop for each filter: one for all of them would take most of the time of a comparison. */
function addPredicted(row: Uint8Array, { filter, above, step }: { filter: number; above: Uint8Array; step: number }): void {
  const { length } = row;
  if (filter === 1) for (let at = step; at < length; at += 1) row[at] = (row[at] as number) + (row[at - step] as number);
  if (filter === 2) for (let at = 0; at < length; at += 1) row[at] = (row[at] as number) + (above[at] as number);
  if (filter === 3)
    for (let at = 0; at < length; at += 1)
      row[at] = (row[at] as number) + (((at < step ? 0 : (row[at - step] as number)) + (above[at] as number)) >> 1);
  if (filter === 4)
    for (let at = 0; at < length; at += 1)
      row[at] =
        (row[at] as number) +
        (at < step ? (above[at] as number) : nearest(row[at - step] as number, above[at] as number, above[at - step] as number));
}

/** Of the three, the one that is nearest to what they lead to expect: Paeth's predictor. */
function nearest(left: number, above: number, corner: number): number {
  const [byLeft, byAbove, byCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** Writes a picture: with a palette where it has few enough colours, which makes it small, else as it is. */
export function encodePng({ width, height, rgb }: Picture): Buffer {
  const colours = new Map<number, number>();
  const indices = Buffer.alloc(width * height);
  for (let pixel = 0; pixel < indices.length && colours.size <= MOST_COLOURS; pixel += 1) {
    const colour = ((rgb[pixel * 3] ?? 0) << 16) | ((rgb[pixel * 3 + 1] ?? 0) << 8) | (rgb[pixel * 3 + 2] ?? 0);
    if (!colours.has(colour)) colours.set(colour, colours.size);
    indices[pixel] = colours.get(colour) ?? 0;
  }
  const hasPalette = colours.size <= MOST_COLOURS;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, hasPalette ? PALETTE : 2, 0, 0, 0], 8);
  const palette = Buffer.from([...colours.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const rows = hasPalette ? withoutFilter(indices, width) : withoutFilter(rgb, width * 3);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(hasPalette ? [chunk("PLTE", palette)] : []),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function withoutFilter(values: Uint8Array, stride: number): Buffer {
  const height = values.length / stride;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let row = 0; row < height; row += 1) rows.set(values.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
