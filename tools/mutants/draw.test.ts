import assert from "node:assert/strict";
import { test } from "node:test";
import { drawMutations } from "./draw.ts";
import { findMutations } from "./sites.ts";

const OFFERED = findMutations("src/a.ts", Array.from({ length: 50 }, (_, index) => `f(${index}, ${index} < b, true);`).join("\n"));

test("each line is drawn once", () => {
  const lines = drawMutations(OFFERED, 1).map(({ line }) => line);
  assert.deepEqual(
    lines.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test("a seed draws the same again, another one something else", () => {
  assert.deepEqual(drawMutations(OFFERED, 7), drawMutations(OFFERED, 7));
  assert.notDeepEqual(drawMutations(OFFERED, 7), drawMutations(OFFERED, 8));
});

test("any of a line's mutations may be the one", () => {
  const kinds = new Set(drawMutations(OFFERED, 1).map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), ["bound", "constant", "delete"]);
});
