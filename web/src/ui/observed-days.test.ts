import assert from "node:assert/strict";
import { test } from "node:test";
import { daysInWords, dayTitle, observedDays } from "./observed-days.ts";

test("something is monitored since the oldest day of which anything is known", () => {
  const days = (...percents: (number | null)[]) => percents.map((uptime_percent) => ({ uptime_percent }));
  assert.deepEqual(
    [days(), days(null, null), days(100, null), days(100, null, 0, null), days(null, 90)].map(observedDays),
    [0, 0, 1, 3, 2],
  );
});

test("days on which nothing counted differ from days that were not monitored", () => {
  const days = [
    { date: "2026-01-12", uptime_percent: null, observed_seconds: 3600, incidents: 0 },
    { date: "2026-01-11", uptime_percent: 100, observed_seconds: 60, incidents: 0 },
    { date: "2026-01-10", uptime_percent: null, observed_seconds: 0, incidents: 0 },
  ];
  assert.deepEqual(days.map(dayTitle), ["2026-01-12: nothing counted", "2026-01-11: 100 % up", "2026-01-10: not monitored"]);
  assert.equal(daysInWords(days), "The last 3 days: 1 counted, 1 of them fully up, 1 not monitored");
  assert.equal(observedDays(days), 2);
});
