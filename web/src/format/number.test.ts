import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, formatPercent } from "./number.ts";

test("a percentage is cut, not rounded: only a full hundred reads as 100", () => {
  const cases: [number | null, string][] = [
    [null, "–"],
    [0, "0 %"],
    [100, "100 %"],
    [99.999, "99.99 %"],
    [97.02, "97.02 %"],
    [99.9, "99.9 %"],
  ];
  for (const [value, text] of cases) assert.equal(formatPercent(value), text);
});

test("counts agree with their noun", () => {
  assert.equal(countOf(0, "container"), "0 containers");
  assert.equal(countOf(1, "container"), "1 container");
  assert.equal(countOf(1204, "container"), "1,204 containers");
  assert.equal(countOf(2, "entry", "entries"), "2 entries");
});
