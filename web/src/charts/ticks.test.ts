import assert from "node:assert/strict";
import { test } from "node:test";
import { ticksOf } from "./ticks.ts";

const START = new Date(2026, 0, 15, 10, 30).getTime();
const HOUR = 3_600_000;

const cases: [number, number, string[]][] = [
  [1, 6, ["10:30", "10:40", "10:50", "11:00", "11:10", "11:20"]],
  [1, 4, ["10:30", "10:45", "11:00", "11:15"]],
  [6, 6, ["11:00", "12:00", "13:00", "14:00", "15:00", "16:00"]],
  [24, 8, ["12:00", "15:00", "18:00", "21:00", "16 Jan", "03:00", "06:00", "09:00"]],
  [24, 4, ["12:00", "18:00", "16 Jan", "06:00"]],
  [7 * 24, 8, ["16 Jan", "17 Jan", "18 Jan", "19 Jan", "20 Jan", "21 Jan", "22 Jan"]],
  [30 * 24, 4, ["29 Jan", "12 Feb"]],
  [90 * 24, 4, ["14 Feb", "16 Mar", "15 Apr"]],
];
for (const [hours, most, labels] of cases) {
  test(`${hours} hours in at most ${most} marks`, () => {
    const ticks = ticksOf(START, START + hours * HOUR, most);
    assert.deepEqual(
      ticks.map((tick) => tick.label),
      labels,
    );
    assert.ok(ticks.every((tick) => tick.at >= START && tick.at < START + hours * HOUR));
  });
}
