import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cronWords, intervalWords, scheduleWords, secondsWords } from "./schedule.ts";

describe("scheduleWords", () => {
  it("shows an interval without a zone and a cron line with one", () => {
    assert.equal(scheduleWords({ interval_seconds: 300, cron: null, timezone: "UTC" }), "every 5 min");
    assert.equal(scheduleWords({ interval_seconds: null, cron: "30 3 * * *", timezone: "Europe/Berlin" }), "03:30 daily, Europe/Berlin");
  });
});

describe("intervalWords", () => {
  for (const [seconds, words] of [
    [45, "every 45 s"],
    [60, "every minute"],
    [90, "every 1 min 30 s"],
    [3600, "every hour"],
    [5400, "every 1 h 30 min"],
    [86_400, "every day"],
    [604_800, "every 7 d"],
  ] as const) {
    it(`says ${seconds} as ${words}`, () => assert.equal(intervalWords(seconds), words));
  }

  it("says no seconds at all", () => assert.equal(secondsWords(0), "0 s"));
});

describe("cronWords", () => {
  for (const [line, words] of [
    ["* * * * *", "every minute"],
    ["*/5 * * * *", "every 5 min"],
    ["*/7 * * * *", "*/7 * * * *"],
    ["15 * * * *", "hourly at :15"],
    ["0 */6 * * *", "every 6 h at :00"],
    ["30 3 * * *", "03:30 daily"],
    ["0 8,20 * * *", "08:00 and 20:00 daily"],
    ["0 9 * * 1-5", "09:00 Mon to Fri"],
    ["0 9 * * MON-FRI", "09:00 Mon to Fri"],
    ["0 4 * * 0", "04:00 on Sun"],
    ["0 4 * * 7", "04:00 on Sun"],
    ["0 4 * * 1,4", "04:00 on Mon, Thu"],
    ["0 0 1 * *", "00:00 on day 1 of the month"],
    ["0 0 24 12 *", "00:00 on 24 Dec"],
    ["0 0 24 dec *", "00:00 on 24 Dec"],
    ["@daily", "00:00 daily"],
    // A day of the month or a day of the week: no short words for that.
    ["0 0 1 * 1", "0 0 1 * 1"],
    ["0 0 1-7 * *", "0 0 1-7 * *"],
    ["1-5 * * * *", "1-5 * * * *"],
  ] as const) {
    it(`says ${line} as ${words}`, () => assert.equal(cronWords(line), words));
  }
});
