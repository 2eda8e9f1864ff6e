import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTimetable, type Schedule } from "./schedule.ts";

describe("the next ping is expected", () => {
  const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
  const daily: Schedule = { kind: "cron", cron: "0 3 * * *", timezone: "UTC" };
  const minutely: Schedule = { kind: "cron", cron: "* * * * *", timezone: "UTC" };

  it("an interval after the last one", () => {
    const expect = createTimetable();
    const schedule: Schedule = { kind: "interval", intervalSeconds: 90, timezone: "UTC" };
    assert.deepEqual(expect(schedule, at("03:00:00"), at("03:00:10")), at("03:01:30"));
  });

  const cases: [what: string, schedule: Schedule, at: string, pending: string | null, expected: string][] = [
    ["by the line", daily, "02:00:00", null, "2026-03-01T03:00"],
    ["exactly at the time it is for that time", daily, "03:00:00", "03:00:00", "2026-03-02T03:00"],
    ["a minute before it is for that time too: clocks differ", daily, "02:59:00", "03:00:00", "2026-03-02T03:00"],
    ["earlier it is not", daily, "02:58:59", "03:00:00", "2026-03-01T03:00"],
    ["with many a day, early is at most a tenth of the time between", minutely, "02:59:54", "03:00:00", "2026-03-01T03:01"],
    ["and earlier it is not", minutely, "02:59:53.900", "03:00:00", "2026-03-01T03:00"],
    ["late it is for the next one", daily, "03:04:00", "03:00:00", "2026-03-02T03:00"],
  ];
  for (const [what, schedule, now, pending, expected] of cases) {
    it(`${what}: at ${now}`, () => {
      const next = createTimetable()(schedule, at(now), pending === null ? null : at(pending));
      assert.equal(next.toISOString().slice(0, 16), expected);
    });
  }
});
