import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { formatAge, formatAgo, formatExact, formatLocal, withLocalTimes } from "./time.ts";

test("an age is shown in the fewest words", () => {
  const cases: [number, string][] = [
    [-5 * HOUR_MS, "now"],
    [999, "now"],
    [12_900, "12 s"],
    [59_999, "59 s"],
    [8 * MINUTE_MS, "8 min"],
    [HOUR_MS, "1 h"],
    [HOUR_MS + 4 * MINUTE_MS, "1 h 4 min"],
    [10 * HOUR_MS - 1, "9 h 59 min"],
    [22.9 * HOUR_MS, "22 h"],
    [47 * HOUR_MS, "47 h"],
    [2 * DAY_MS, "2 d"],
    [59 * DAY_MS, "59 d"],
    [70 * DAY_MS, "10 wk"],
    [800 * DAY_MS, "2 y"],
  ];
  for (const [lengthMs, text] of cases) assert.equal(formatAge(lengthMs), text);
});

test("a point in time is shown as an age", () => {
  assert.equal(formatAgo(0), "just now");
  assert.equal(formatAgo(8 * MINUTE_MS), "8 min ago");
});

test("a title shows UTC", () => {
  assert.equal(formatExact("2026-11-21T04:12:07.118Z"), "2026-11-21 04:12:07 (UTC)");
});

test("local time leaves out what goes without saying", () => {
  const at = new Date(2026, 10, 21, 4, 12, 7, 118);
  const formatted = (now: Date, precision?: "minute" | "millisecond"): string => formatLocal(at.toISOString(), now.getTime(), precision);
  assert.equal(formatted(new Date(2026, 10, 21, 23)), "04:12:07");
  assert.equal(formatted(new Date(2026, 10, 21, 23), "minute"), "04:12");
  assert.match(formatted(new Date(2026, 10, 21, 23), "millisecond"), /^04:12:07[.,]118$/);
  assert.equal(formatted(new Date(2026, 10, 22)), "21 Nov 04:12:07");
  assert.equal(formatted(new Date(2027, 0, 1)), "21 Nov 2026 04:12:07");
});

test("puts the days of a sentence of the server as all other days are written", () => {
  assert.equal(withLocalTimes("It expires in 6 days, on 2026-12-05."), "It expires in 6 days, on 5 Dec.");
  assert.equal(withLocalTimes("on 2026-12-05-nightly and backup-2026-12-05."), "on 2026-12-05-nightly and backup-2026-12-05.");
});
