import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CronLine, nextMatch, parseCron } from "./cron.ts";

function line(text: string): CronLine {
  const parsed = parseCron(text);
  assert.ok("line" in parsed, `${text}: ${"fault" in parsed ? parsed.fault : ""}`);
  return parsed.line;
}

/** The next firings after a local time, without seconds. */
function firings(text: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = Date.parse(`${after}Z`); found.length < count;) {
    at = nextMatch(line(text), at + 1) ?? assert.fail("never");
    found.push(new Date(at).toISOString().slice(0, 16).replace("T", " "));
  }
  return found;
}

describe("a cron line fires", () => {
  const cases: [line: string, after: string, ...firings: string[]][] = [
    ["* * * * *", "2026-03-01 12:00:30", "2026-03-01 12:01", "2026-03-01 12:02"],
    ["*/15 * * * *", "2026-03-01 12:00", "2026-03-01 12:15", "2026-03-01 12:30", "2026-03-01 12:45", "2026-03-01 13:00"],
    ["5/20 * * * *", "2026-03-01 12:00", "2026-03-01 12:05", "2026-03-01 12:25", "2026-03-01 12:45", "2026-03-01 13:05"],
    ["0,30 9-17/4 * * *", "2026-03-01 09:30", "2026-03-01 13:00", "2026-03-01 13:30", "2026-03-01 17:00"],
    ["59 23 31 12 *", "2026-03-01 12:00", "2026-12-31 23:59", "2027-12-31 23:59"],
    ["0 0 29 2 *", "2026-03-01 12:00", "2028-02-29 00:00", "2032-02-29 00:00"],
    ["0 0 29 2 *", "2096-03-01 12:00", "2104-02-29 00:00"],
    ["0 0 31 * *", "2026-03-31 12:00", "2026-05-31 00:00", "2026-07-31 00:00"],
    ["0 4 * * 0", "2026-03-01 12:00", "2026-03-08 04:00"],
    ["0 4 * * 7", "2026-03-01 12:00", "2026-03-08 04:00"],
    ["0 4 * * Sun", "2026-03-01 12:00", "2026-03-08 04:00"],
    ["0 4 * * fri-sun", "2026-03-01 12:00", "2026-03-06 04:00", "2026-03-07 04:00", "2026-03-08 04:00"],
    ["0 4 * * 0-0", "2026-03-01 12:00", "2026-03-08 04:00", "2026-03-15 04:00"],
    ["0-0 0-0 * * *", "2026-03-01 12:00", "2026-03-02 00:00", "2026-03-03 00:00"],
    ["0 0 1 JAN,jul *", "2026-03-01 12:00", "2026-07-01 00:00", "2027-01-01 00:00"],
    // Either of the days is enough when both are restricted,
    ["0 0 13 * 5", "2026-03-01 12:00", "2026-03-06 00:00", "2026-03-13 00:00", "2026-03-20 00:00"],
    // but a field that begins with a star does not count as restricted, as in Debian's cron.
    ["0 0 */2 * 1", "2026-03-01 12:00", "2026-03-09 00:00", "2026-03-23 00:00"],
    ["0 0 29 2 */7", "2026-03-01 12:00", "2032-02-29 00:00"],
    ["@hourly", "2026-03-01 12:00", "2026-03-01 13:00"],
    ["@daily", "2026-03-01 12:00", "2026-03-02 00:00"],
    ["@Weekly", "2026-03-01 12:00", "2026-03-08 00:00"],
    ["@monthly", "2026-03-01 12:00", "2026-04-01 00:00"],
    ["@yearly", "2026-03-01 12:00", "2027-01-01 00:00"],
    ["  0   3 * *  * ", "2026-03-01 12:00", "2026-03-02 03:00"],
  ];
  for (const [text, after, ...expected] of cases) {
    it(`${text} after ${after}`, () => assert.deepEqual(firings(text, after, expected.length), expected));
  }
});

describe("a cron line is refused with a sentence", () => {
  const cases: [line: string, sentence: RegExp][] = [
    ["", /has five fields.*has none/],
    ["0 3 * *", /this one has 4/],
    ["0 0 3 * * *", /this one has 6\. Seconds and years are not supported/],
    ["60 * * * *", /"60" is not a value of the field minute: 0 to 59/],
    ["* 24 * * *", /"24" is not a value of the field hour: 0 to 23/],
    ["* * 0 * *", /"0" is not a value of the field day of month: 1 to 31/],
    ["* * * 13 *", /"13" is not a value of the field month: 1 to 12, or jan to dec/],
    ["* * * * 8", /"8" is not a value of the field day of week: 0 to 7, or sun to sat/],
    ["* * * * funday", /"funday" is not a value of the field day of week/],
    ["-1 * * * *", /"" is not a value of the field minute/],
    ["1e1 * * * *", /"1e1" is not a value of the field minute/],
    ["*/0 * * * *", /"\/0" is not a step for the field minute/],
    ["*/60 * * * *", /"\/60" is not a step/],
    ["*/ * * * *", /"\/" is not a step/],
    ["10-5 * * * *", /ends before it begins/],
    ["1-2-3 * * * *", /cannot be read/],
    ["constructor", /has 1/],
    [" __proto__ ", /has 1/],
    ["1,, * * * *", /"" is not a value of the field minute/],
    ["*x * * * *", /"\*x" is not a value of the field minute/],
    ["0 0 30 2 *", /never fires/],
    ["0 0 31 4,6,9,11 *", /never fires/],
    ["@reboot", /"@reboot" is not a time; use one of @hourly/],
    [`${"9".repeat(500)} * * * *`, /^"9{40}" is not a value of the field minute/],
  ];
  for (const [text, sentence] of cases) {
    it(text.slice(0, 40), () => {
      const parsed = parseCron(text);
      assert.match("fault" in parsed ? parsed.fault : "not refused", sentence);
    });
  }
});
