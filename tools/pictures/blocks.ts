/**
 * Compares pictures by the mean colour of their blocks, so that layout and colours count and the edges of letters do not. What letters change beyond
 * that lies scattered; what a person would call a change covers blocks that touch each other.
 */
import type { Picture } from "./png.ts";

/** Kept colours are multiples of this, which makes the files small. */
const STEP = 12;
/** A channel of a block may be off by so much: half a step, and what other edges of letters make of it. */
const TOLERANCE = 6 + 20;
/** A page may have moved by so many pixels. */
const SHIFT = 1;
/** So many blocks may differ if none of them touches another. */
const MOST_SCATTERED = 8;

export interface Difference {
  /** The blocks that differ, by their index in the kept picture, with how far beyond the tolerance they are. */
  blocks: ReadonlyMap<number, number>;
  /** The sizes differ, so that nothing else was compared. */
  resized: boolean;
  /** Whether a person would see a change. */
  isChange: boolean;
}

/** The picture with one pixel for each block of so many pixels a side, as it is kept. */
export function shrink(picture: Picture, side: number): Picture {
  const width = Math.ceil(picture.width / side);
  const height = Math.ceil(picture.height / side);
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const mean = meanAt(picture, { left: column * side, top: row * side, side });
      rgb.set(
        mean.map((value) => Math.min(255, Math.round(value / STEP) * STEP)),
        (row * width + column) * 3,
      );
    }
  return { width, height, rgb };
}

type Colour = readonly [red: number, green: number, blue: number];

interface Block {
  left: number;
  top: number;
  /** In pixels of the page. */
  side: number;
}

/** What of the block lies beyond the edge of the picture does not count. */
function meanAt({ width, height, rgb }: Picture, { left, top, side }: Block): Colour {
  let [red, green, blue, count] = [0, 0, 0, 0];
  for (let y = Math.max(0, top); y < Math.min(height, top + side); y += 1)
    for (let x = Math.max(0, left); x < Math.min(width, left + side); x += 1) {
      const at = (y * width + x) * 3;
      red += rgb[at] as number;
      green += rgb[at + 1] as number;
      blue += rgb[at + 2] as number;
      count += 1;
    }
  return [red / count, green / count, blue / count];
}

/** Where a picture is not what was kept of it: in no position within a pixel's shift does the block come close to its kept colour. */
export function compareToKept(picture: Picture, kept: Picture, side: number): Difference {
  const blocks = new Map<number, number>();
  if (Math.ceil(picture.width / side) !== kept.width || Math.ceil(picture.height / side) !== kept.height)
    return { blocks, resized: true, isChange: true };
  for (let block = 0; block < kept.width * kept.height; block += 1) {
    const wanted: Colour = [kept.rgb[block * 3] ?? 0, kept.rgb[block * 3 + 1] ?? 0, kept.rgb[block * 3 + 2] ?? 0];
    const place = { left: (block % kept.width) * side, top: Math.floor(block / kept.width) * side, side };
    const excess = excessAt(picture, wanted, place);
    if (excess > 0) blocks.set(block, excess);
  }
  return { blocks, resized: false, isChange: blocks.size > MOST_SCATTERED || touchesAnother(blocks, kept.width) };
}

/** Whether a block lies beside another one, above or below it, or at its corner. */
function touchesAnother(blocks: Difference["blocks"], width: number): boolean {
  const isWithin = (block: number, column: number): boolean => column >= 0 && column < width && blocks.has(block);
  for (const block of blocks.keys()) {
    const column = block % width;
    // Those before it have been asked already.
    if (isWithin(block + 1, column + 1)) return true;
    if ([-1, 0, 1].some((step) => isWithin(block + width + step, column + step))) return true;
  }
  return false;
}

/** How far the block is from its kept colour in the best of its positions, beyond the tolerance. */
function excessAt(picture: Picture, wanted: Colour, { left, top, side }: Block): number {
  const beyond = (mean: Colour): number => Math.max(...mean.map((value, channel) => Math.abs(value - (wanted[channel] ?? 0)))) - TOLERANCE;
  let least = beyond(meanAt(picture, { left, top, side }));
  for (let y = -SHIFT; least > 0 && y <= SHIFT; y += 1)
    for (let x = -SHIFT; least > 0 && x <= SHIFT; x += 1)
      least = Math.min(least, beyond(meanAt(picture, { left: left + x, top: top + y, side })));
  return least;
}
