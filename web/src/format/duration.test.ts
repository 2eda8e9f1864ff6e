import assert from "node:assert/strict";
import { it } from "node:test";
import { formatDuration } from "./duration.ts";

for (const [lengthMs, words] of [
  [0, "0 ms"],
  [340, "340 ms"],
  [4260, "4.2 s"],
  [42_900, "42 s"],
  [180_000, "3 min"],
  [185_000, "3 min 5 s"],
  [3_860_000, "1 h 4 min"],
  [183_600_000, "2 d 3 h"],
] as const) {
  it(`formats ${lengthMs} ms as ${words}`, () => assert.equal(formatDuration(lengthMs), words));
}
