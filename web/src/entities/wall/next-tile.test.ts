import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTile } from "./next-tile.ts";

/** Two lines of three, and one tile below them. */
const PLACES = [...[0, 20, 40].map((left) => ({ left, top: 0 })), ...[0, 20, 40].map((left) => ({ left, top: 30 })), { left: 30, top: 60 }];

test("arrows lead along the lines and to the nearest tile of the next one", () => {
  const led = (index: number, ...keys: string[]): number => keys.reduce((at, key) => nextTile(PLACES, at, key) ?? -1, index);
  assert.deepEqual([led(0, "ArrowRight"), led(1, "ArrowLeft"), led(2, "ArrowRight"), led(4, "Home"), led(4, "End")], [1, 0, 3, 0, 6]);
  assert.deepEqual([led(1, "ArrowDown"), led(5, "ArrowUp"), led(3, "ArrowDown"), led(6, "ArrowUp")], [4, 2, 6, 4]);
});

test("where there is no tile they lead nowhere, and other keys never do", () => {
  assert.deepEqual(
    [nextTile(PLACES, 0, "ArrowUp"), nextTile(PLACES, 0, "ArrowLeft"), nextTile(PLACES, 6, "ArrowDown"), nextTile(PLACES, 6, "ArrowRight")],
    [undefined, undefined, undefined, undefined],
  );
  assert.deepEqual([nextTile(PLACES, 0, "Enter"), nextTile([], 0, "Home")], [undefined, undefined]);
});
