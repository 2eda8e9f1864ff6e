import assert from "node:assert/strict";
import { test } from "node:test";
import { compareToKept, shrink } from "./blocks.ts";
import type { Picture } from "./png.ts";

const SIDE = 8;
type Colour = readonly [number, number, number];
const WHITE: Colour = [250, 250, 248];
const INK: Colour = [40, 44, 48];
const OK: Colour = [30, 125, 75];
const DOWN: Colour = [200, 40, 40];

/** A page of lines of letters, a rule, an icon and a dot of a status; all of it `shift` pixels to the right and down. */
function pageOf({ shift = 0, dot = OK, icon = true, column = 0, blur = false } = {}): Picture {
  const [width, height] = [160, 120];
  const rgb = new Uint8Array(width * height * 3);
  const paint = (x: number, y: number, colour: Colour): void => {
    if (x + shift < width && y + shift < height) rgb.set(colour, ((y + shift) * width + x + shift) * 3);
  };
  for (let at = 0; at < width * height; at += 1) rgb.set(WHITE, at * 3);
  // Strokes as letters have them: two pixels of ink, three of paper.
  for (const top of [20, 44, 68])
    for (let y = top; y < top + 10; y += 1) for (let x = 20 + column; x < 100 + column; x += 1) if (x % 5 < 2) paint(x, y, INK);
  for (let x = 0; x < width; x += 1) paint(x, 100, INK);
  if (icon)
    for (let at = 0; at < 16; at += 1)
      for (const [x, y] of [
        [at, 0],
        [at, 15],
        [0, at],
        [15, at],
        [at, at],
      ] as const)
        paint(130 + x, 20 + y, INK);
  for (let y = 70; y < 79; y += 1) for (let x = 130; x < 139; x += 1) if ((x - 134) ** 2 + (y - 74) ** 2 <= 20) paint(x, y, dot);
  return blur ? softened({ width, height, rgb }) : { width, height, rgb };
}

/** As if letters had softer edges: each pixel a mean of itself and those beside it. */
function softened({ width, height, rgb }: Picture): Picture {
  const soft = rgb.map((value, at) => ((rgb[at - 3] ?? value) + 2 * value + (rgb[at + 3] ?? value)) / 4);
  return { width, height, rgb: soft };
}

const kept = shrink(pageOf(), SIDE);
const isChange = (page: Picture): boolean => compareToKept(page, kept, SIDE).isChange;

test("the same page is the same", () => {
  const { blocks, ...same } = compareToKept(pageOf(), kept, SIDE);
  assert.deepEqual([blocks.size, same], [0, { resized: false, isChange: false }]);
});
test("a page that moved by a pixel is the same", () => assert.equal(isChange(pageOf({ shift: 1 })), false));
test("letters with softer edges are the same", () => assert.equal(isChange(pageOf({ blur: true })), false));
test("a column that moved is another", () => assert.ok(isChange(pageOf({ column: 16 }))));
test("a page without its icon is another", () => assert.ok(isChange(pageOf({ icon: false }))));
test("a status of another colour is another", () => assert.ok(isChange(pageOf({ dot: DOWN }))));
test("a page that moved by half a line is another", () => assert.ok(isChange(pageOf({ shift: 5 }))));

/** The page, with these of its blocks painted in ink. */
function withBlocks(...blocks: readonly (readonly [column: number, row: number])[]): Picture {
  const page = pageOf();
  for (const [column, row] of blocks)
    for (let y = row * SIDE; y < (row + 1) * SIDE; y += 1)
      for (let x = column * SIDE; x < (column + 1) * SIDE; x += 1) page.rgb.set(INK, (y * page.width + x) * 3);
  return page;
}

test("a few blocks that are scattered are the same, two that touch each other are another", () => {
  assert.equal(isChange(withBlocks([0, 0], [2, 0], [19, 0], [0, 14], [19, 14])), false);
  // The end of a row and the beginning of the next one do not touch.
  assert.equal(isChange(withBlocks([19, 0], [0, 1])), false);
  for (const other of [
    [4, 1],
    [3, 0],
    [2, 0],
    [4, 0],
  ] as const)
    assert.equal(isChange(withBlocks([3, 1], other)), true, String(other));
});

test("many scattered blocks are another", () => {
  assert.equal(isChange(withBlocks(...[0, 2, 4, 6, 8, 10, 12, 14, 16].map((column) => [column, 0] as const))), true);
});

test("a page of another size is not compared", () => {
  const { blocks, ...other } = compareToKept({ width: 8, height: 8, rgb: new Uint8Array(192) }, kept, SIDE);
  assert.deepEqual([blocks.size, other], [0, { resized: true, isChange: true }]);
});

test("what is kept is small: a pixel for each block, in few colours", () => {
  assert.deepEqual([kept.width, kept.height], [20, 15]);
  assert.ok(kept.rgb.every((value) => value % 12 === 0 || value === 255));
});
