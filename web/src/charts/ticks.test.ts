import assert from "node:assert/strict";
import { test } from "node:test";
import { inZone } from "../../../test/support/in-zone.ts";
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

const changes: [string, string, [hours: number, most: number], string[]][] = [
  // At midnight clocks change to 01:00.
  ["America/Santiago", "2026-09-05T12:00-04:00", [4 * 24, 4], ["6 Sept", "7 Sept", "8 Sept", "9 Sept"]],
  ["America/Santiago", "2026-09-05T18:30-04:00", [12, 4], ["21:00", "6 Sept", "03:00", "06:00"]],
  ["America/Santiago", "2026-09-05T21:30-04:00", [5, 5], ["22:00", "23:00", "6 Sept", "02:00", "03:00"]],
  ["Asia/Beirut", "2026-03-27T12:00+02:00", [24 * 10, 5], ["29 Mar", "31 Mar", "2 Apr", "4 Apr", "6 Apr"]],
  ["Africa/Cairo", "2026-04-23T12:00+02:00", [4 * 24, 4], ["24 Apr", "25 Apr", "26 Apr", "27 Apr"]],
  // At midnight they go back to 23:00.
  ["Africa/Cairo", "2026-10-29T12:00+03:00", [4 * 24, 4], ["30 Oct", "31 Oct", "1 Nov", "2 Nov"]],
  // At 02:00 they change to 03:00.
  ["Europe/Berlin", "2026-03-29T00:30+01:00", [4, 8], ["00:30", "01:00", "01:30", "03:00", "03:30", "04:00", "04:30", "05:00"]],
];
for (const [zone, start, [hours, most], labels] of changes) {
  test(`${hours} hours in ${zone} from ${start}`, (t) => {
    inZone(t, zone);
    const from = Date.parse(start);
    assert.deepEqual(
      ticksOf(from, from + hours * HOUR, most).map((tick) => tick.label),
      labels,
    );
  });
}
