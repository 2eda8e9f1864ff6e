import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../../../../src/contract/time.ts";
import { formatLength } from "./length.ts";

const cases: [number, string][] = [
  [0, "under 1 s"],
  [14_900, "14 s"],
  [12 * MINUTE_MS, "12 min"],
  [HOUR_MS, "1 h"],
  [3 * HOUR_MS + 5 * MINUTE_MS, "3 h 5 min"],
  [24 * HOUR_MS, "1 d"],
  [76 * HOUR_MS + 59 * MINUTE_MS, "3 d 4 h"],
];
for (const [lengthMs, text] of cases) test(text, () => assert.equal(formatLength(lengthMs), text));
