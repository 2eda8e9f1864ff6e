import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, layWeek, monthName, monthText, readMonth, weeksOf } from "./calendar.ts";

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).getTime();
const span = (id: number, startMs: number, endMs: number) => ({ id, startMs, endMs });

test("a month is whole weeks from Monday to Sunday", () => {
  const weeks = weeksOf({ year: 2026, month: 10 });
  assert.equal(weeks.length, 6);
  assert.equal(weeks[0]?.[0]?.toDateString(), "Mon Oct 26 2026");
  assert.equal(weeks.at(-1)?.at(-1)?.toDateString(), "Sun Dec 06 2026");
  assert.ok(weeks.every((week) => week.length === 7 && week[0]?.getDay() === 1));
  // February 2027 begins on a Monday and has four weeks.
  assert.equal(weeksOf({ year: 2027, month: 1 }).length, 4);
  // March of the clock change: still midnights, each once.
  const march = weeksOf({ year: 2026, month: 2 }).flat();
  assert.equal(new Set(march.map((day) => day.toDateString())).size, march.length);
});

test("months are counted over the turn of the year, and written and read", () => {
  assert.deepEqual(addMonths({ year: 2026, month: 11 }, 1), { year: 2027, month: 0 });
  assert.deepEqual(addMonths({ year: 2026, month: 0 }, -1), { year: 2025, month: 11 });
  assert.equal(monthText({ year: 2026, month: 0 }), "2026-01");
  assert.equal(monthName({ year: 2026, month: 10 }), "November 2026");
  assert.deepEqual(readMonth("2026-11"), { year: 2026, month: 10 });
  for (const text of [undefined, "", "2026-13", "2026-1", "soon"]) assert.equal(readMonth(text), undefined);
});

const WEEK = weeksOf({ year: 2026, month: 10 })[3] ?? [];

test("spans lie in the days that they touch", () => {
  assert.equal(WEEK[0]?.getDate(), 16);
  const [one] = layWeek(WEEK, [span(1, at(18, 22), at(19, 2))]);
  assert.deepEqual([one?.day, one?.days, one?.lane, one?.continuesBefore, one?.continuesAfter], [2, 2, 0, false, false]);
  // Until midnight is not the next day.
  assert.equal(layWeek(WEEK, [span(1, at(18, 22), at(19))])[0]?.days, 1);
  // One without length is still seen.
  assert.deepEqual(layWeek(WEEK, [span(1, at(18), at(18))])[0]?.day, 2);
});

test("what goes beyond the week is cut, what is elsewhere is left out", () => {
  const [long] = layWeek(WEEK, [span(1, at(10), at(30))]);
  assert.deepEqual([long?.day, long?.days, long?.continuesBefore, long?.continuesAfter], [0, 7, true, true]);
  assert.deepEqual(layWeek(WEEK, [span(1, at(10), at(16)), span(2, at(23), at(24))]), []);
  assert.deepEqual(layWeek([], [span(1, at(10), at(16))]), []);
});

test("spans that overlap stand in separate lines, and lines are used again", () => {
  const lanes = layWeek(WEEK, [
    span(1, at(16, 8), at(17, 8)),
    span(2, at(16, 9), at(16, 10)),
    span(3, at(18, 8), at(18, 9)),
    span(4, at(17, 8), at(18, 12)),
  ]).map(({ span: { id }, lane }) => [id, lane]);
  assert.deepEqual(lanes, [
    [1, 0],
    [2, 1],
    [4, 1],
    [3, 0],
  ]);
});
