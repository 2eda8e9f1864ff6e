import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseCron } from "../../../../src/contract/cron.ts";
import { nextTimes } from "./next-times.ts";

function next(line: string, zone: string, from: string, count = 3): string[] {
  const read = parseCron(line);
  assert.ok("line" in read, JSON.stringify(read));
  return nextTimes(read.line, zone, Date.parse(from), count).map((at) => new Date(at).toISOString().slice(0, 16));
}

describe("nextTimes", () => {
  it("lists times in UTC", () => {
    assert.deepEqual(next("*/15 9-10 * * mon-fri", "UTC", "2026-03-06T10:40:00Z"), [
      "2026-03-06T10:45",
      "2026-03-09T09:00",
      "2026-03-09T09:15",
    ]);
    assert.deepEqual(next("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2), ["2028-02-29T00:00", "2032-02-29T00:00"]);
    assert.deepEqual(next("@monthly", "UTC", "2026-01-01T00:00:00Z", 1), ["2026-02-01T00:00"]);
  });

  it("takes either day field where neither has a star, and both where one has", () => {
    assert.deepEqual(next("0 0 13 * 5", "UTC", "2026-03-10T00:00:00Z"), ["2026-03-13T00:00", "2026-03-20T00:00", "2026-03-27T00:00"]);
    assert.deepEqual(next("0 0 */2 * 5", "UTC", "2026-03-10T00:00:00Z", 2), ["2026-03-13T00:00", "2026-03-27T00:00"]);
  });

  it("lists times in a zone across the change of its clock", () => {
    assert.deepEqual(next("30 3 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z"), [
      "2026-03-28T02:30",
      "2026-03-29T01:30",
      "2026-03-30T01:30",
    ]);
    // 02:30 is left out on that day: it fires as soon as the clock has jumped.
    assert.deepEqual(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2), ["2026-03-29T01:00", "2026-03-30T00:30"]);
    // 02:30 comes twice on that day: it fires at the first.
    assert.deepEqual(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2), ["2026-10-25T00:30", "2026-10-26T01:30"]);
    // A line with a star follows the clock on the wall, in both of the hours.
    assert.deepEqual(next("30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 2), ["2026-10-25T00:30", "2026-10-25T01:30"]);
    assert.deepEqual(next("0 9 * * *", "Asia/Kathmandu", "2026-03-01T00:00:00Z", 1), ["2026-03-01T03:15"]);
  });

  it("lists none in a zone that is not known", () => {
    assert.deepEqual(next("* * * * *", "Mars/Olympus", "2026-03-01T00:00:00Z"), []);
  });
});
