import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "./change.ts";

const cases: [what: string, then: number, now: number, change: number, percent: number | null][] = [
  ["a rise", 100, 150, 50, 50],
  ["a fall", 200, 150, -50, -25],
  ["nothing", 100, 100, 0, 0],
  ["of nothing", 0, 3, 3, null],
  ["decimals without their tail", 0.1, 0.3, 0.2, 200],
  ["bytes of a large machine, exactly", 2 ** 43 + 1, 2 ** 44, 2 ** 43 - 1, 100],
];
for (const [what, then, now, change, percent] of cases)
  test(`a change: ${what}`, () => assert.deepEqual(changeOf(then, now), { change, change_percent: percent }));
