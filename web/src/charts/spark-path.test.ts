import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkPath } from "./spark-path.ts";

const BOX = { max: 100, width: 61.5, height: 21.5 };

test("values become a line from the bottom to the top of the box", () => {
  assert.equal(sparkPath([0, 50, 100], BOX), "M0.8 20.8h0L30.8 10.8L60.8 0.8");
});

test("a gap stays a gap, and a value alone in it is a dot", () => {
  assert.equal(sparkPath([0, null, 0, null, null, 0, 0], BOX), "M0.8 20.8h0M20.8 20.8h0M50.8 20.8h0L60.8 20.8");
  assert.equal(sparkPath([null, null], BOX), "");
  assert.equal(sparkPath([], BOX), "");
});

test("what is out of the range is cut off at its ends", () => {
  assert.equal(sparkPath([250, -1], BOX), sparkPath([100, 0], BOX));
});

test("one value, or a range of nothing, still draws", () => {
  assert.equal(sparkPath([100], BOX), "M0.8 0.8h0");
  assert.equal(sparkPath([0, 0], { ...BOX, max: 0 }), "M0.8 20.8h0L60.8 20.8");
});
