import assert from "node:assert/strict";
import { test } from "node:test";
import { formatLength } from "./length.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const cases: [number, string][] = [
  [0, "under 1 s"],
  [14_900, "14 s"],
  [12 * MINUTE, "12 min"],
  [HOUR, "1 h"],
  [3 * HOUR + 5 * MINUTE, "3 h 5 min"],
  [24 * HOUR, "1 d"],
  [76 * HOUR + 59 * MINUTE, "3 d 4 h"],
];
for (const [lengthMs, text] of cases) test(text, () => assert.equal(formatLength(lengthMs), text));
