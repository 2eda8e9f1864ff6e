import assert from "node:assert/strict";
import { test } from "node:test";
import { formatShare, looksEqual } from "./usage.ts";

test("a share is as exact as one can read it", () => {
  const cases: [number | null, string][] = [
    [null, "–"],
    [0, "0 %"],
    [0.04, "0 %"],
    [0.05, "0.1 %"],
    [9.94, "9.9 %"],
    [9.96, "10 %"],
    [38.2, "38 %"],
    [99.6, "100 %"],
    [100, "100 %"],
  ];
  for (const [percent, text] of cases) assert.equal(formatShare(percent), text);
});

test("readings look equal as long as no figure reads differently", () => {
  const known = { cpu_percent: 38.2, memory_bytes: 40_000_000, memory_percent: 12.1 };
  assert.equal(looksEqual(known, { cpu_percent: 37.9, memory_bytes: 39_990_000, memory_percent: 12.3 }), true);
  assert.equal(looksEqual(known, { ...known, cpu_percent: 38.6 }), false);
  assert.equal(looksEqual(known, { ...known, cpu_percent: null }), false);
  assert.equal(looksEqual(known, { ...known, memory_bytes: 41_000_000 }), false);
  assert.equal(looksEqual(known, { ...known, memory_percent: 13 }), false);
});
