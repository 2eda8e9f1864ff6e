import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseCron } from "../../src/monitoring/heartbeats/cron.ts";
import { nextFiring } from "../../src/monitoring/heartbeats/schedule.ts";
import { openZone } from "../../src/monitoring/heartbeats/zone.ts";
import { readCron } from "../../web/src/entities/heartbeats/cron.ts";
import { nextTimes } from "../../web/src/entities/heartbeats/next-times.ts";
import { fc } from "../support/seed.ts";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Auckland"];

function field(min: number, max: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: Math.max(0, min - 1), max: max + 1 }).map(String);
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("*", "*", "*/2", "*/7", "?", "x", "") },
    { weight: 4, arbitrary: value },
    fc.tuple(value, value).map(([from, to]) => `${from}-${to}`),
    fc.tuple(value, value).map(([from, step]) => `${from}/${step}`),
  );
  return fc.oneof(
    { weight: 4, arbitrary: part },
    fc.array(part, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(",")),
  );
}

const line = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map((fields) => fields.join(" "));

/** The form reads cron lines by itself while one types: it must say what the server will say. */
describe("the preview of a cron line", () => {
  it("finds the same lines wrong", () => {
    fc.assert(
      fc.property(line, (text) => {
        assert.equal("fault" in readCron(text), "fault" in parseCron(text));
      }),
      { numRuns: 500 },
    );
  });

  it("says of a wrong field what the server says", () => {
    const oneField = fc
      .tuple(field(0, 59), fc.integer({ min: 0, max: 4 }))
      .map(([text, index]) => Array.from({ length: 5 }, (_, each) => (each === index ? text : "*")).join(" "));
    fc.assert(
      fc.property(fc.oneof(oneField, fc.constantFrom("", "* * * *", "* * * * * *", "@often", "0 0 30 2 *")), (text) => {
        const [here, there] = [readCron(text), parseCron(text)];
        assert.equal("fault" in here ? here.fault : undefined, "fault" in there ? there.fault : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it("tells the time at which the server will expect a ping, also across changes of the clock", () => {
    const eves = ["2026-03-07", "2026-03-28", "2026-04-04", "2026-09-26", "2026-10-03", "2026-10-24", "2026-10-31"];
    const eve = fc
      .tuple(fc.constantFrom(...eves), fc.integer({ min: 0, max: 48 * 3600 }))
      .map(([day, s]) => new Date(Date.parse(day) + s * 1000));
    const from = fc.oneof(eve, fc.date({ min: new Date("2025-01-01"), max: new Date("2027-01-01"), noInvalidDate: true }));
    const hourly = fc.tuple(field(0, 59), fc.constantFrom("1", "2", "3", "1-3", "2,14")).map(([minute, hour]) => `${minute} ${hour} * * *`);
    fc.assert(
      fc.property(fc.oneof(line, hourly), fc.constantFrom(...ZONES), from, (text, zoneName, after) => {
        const [here, there] = [readCron(text), parseCron(text)];
        const zone = openZone(zoneName);
        fc.pre("line" in here && "line" in there && zone !== undefined);
        // Lines with a star for minute or hour go by the clock on the wall when it is set back or forth, which the preview does not show.
        fc.pre(!there.line.isWildcard || zoneName === "UTC" || zoneName === "Asia/Kolkata");
        const [next] = nextTimes(here.line, zoneName, after.getTime(), 1);
        assert.equal(next === undefined ? undefined : new Date(next).toISOString(), nextFiring(there.line, zone, after).toISOString());
      }),
      // Every minute of an hour that is shown a second time.
      { numRuns: 600, examples: [["0,*,0 2,14 * * *", "Europe/Berlin", new Date("2026-10-25T01:00:00.000Z")]] },
    );
  });
});
