import assert from "node:assert/strict";
import { test } from "node:test";
import { createCrosshair } from "./crosshair.ts";

test("the crosshair stands where it rests until somebody points, and returns there", () => {
  const crosshair = createCrosshair(1000);
  const seen: (number | null)[] = [];
  crosshair.subscribe(() => seen.push(crosshair.at()));
  assert.equal(crosshair.at(), 1000);
  crosshair.point(2000);
  crosshair.point(2000);
  crosshair.point(null);
  assert.deepEqual(seen, [2000, 1000]);
  assert.equal(createCrosshair().at(), null);
});
