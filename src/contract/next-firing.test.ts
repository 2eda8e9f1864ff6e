import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { parseCron, nextFiring } from "./cron.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";
import { openZone } from "./zone.ts";

function firings(text: string, zoneName: string, from: Date, until: Date): string[] {
  const parsed = parseCron(text);
  const zone = openZone(zoneName);
  assert.ok("line" in parsed && zone !== undefined);
  const found: string[] = [];
  for (let at = nextFiring(parsed.line, zone, from); at <= until; at = nextFiring(parsed.line, zone, at)) found.push(at.toISOString());
  return found;
}

describe("in a night in which clocks change, a cron line fires as Debian's cron has it", () => {
  const cases: [what: string, line: string, zone: string, noonBefore: string, ...firings: string[]][] = [
    ["a time that is left out comes as soon as it is over", "30 2 * * *", "Europe/Berlin", "2026-03-28", "03-29T01:00", "03-30T00:30"],
    ["the first of two times counts", "30 2 * * *", "Europe/Berlin", "2026-10-24", "10-25T00:30", "10-26T01:30"],
    ["so for several of one line", "0 1-3 * * *", "Europe/Berlin", "2026-10-24", "10-24T23:00", "10-25T00:00", "10-25T02:00"],
    ["left out, New York", "30 2 * * *", "America/New_York", "2026-03-07", "03-08T07:00", "03-09T06:30"],
    ["twice, New York", "30 1 * * *", "America/New_York", "2026-10-31", "11-01T05:30", "11-02T06:30"],
    ["midnight is left out", "0 0 * * *", "Asia/Beirut", "2026-03-28", "03-28T22:00", "03-29T21:00"],
    ["half an hour is left out", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03", "10-03T15:30", "10-04T15:15"],
    ["half an hour comes twice", "45 1 * * *", "Australia/Lord_Howe", "2026-04-04", "04-04T14:45", "04-05T15:15"],
    ["two hours are left out", "30 2 * * *", "Antarctica/Troll", "2026-03-28", "03-29T01:00", "03-30T00:30"],
    ["a whole day is left out", "0 12 * * *", "Pacific/Apia", "2011-12-29", "12-29T22:00", "12-30T10:00", "12-30T22:00"],
    [
      "many that are left out come as one",
      "2/27,*/7 2,14 * * *",
      "Pacific/Auckland",
      "2026-09-26",
      "09-26T14:00",
      "09-27T01:00",
      "09-27T01:02",
    ],
    ["the year changes meanwhile", "30 23 31 12 *", "Pacific/Kiritimati", "2026-12-30", "12-31T09:30"],
  ];
  for (const [what, text, zone, day, ...expected] of cases) {
    it(`${text} in ${zone}, ${day}: ${what}`, () => {
      const from = new Date(`${day}T12:00:00Z`);
      const found = firings(text, zone, from, new Date(from.getTime() + 72 * HOUR_MS));
      assert.deepEqual(
        found.slice(0, expected.length).map((at) => at.slice(5, 16)),
        expected,
      );
    });
  }

  it("a line with a star for the hour follows the clock on the wall: not in an hour that is left out, and in both of two", () => {
    const inSpring = firings("30 * * * *", "Europe/Berlin", new Date("2026-03-29T00:00:00Z"), new Date("2026-03-29T02:00:00Z"));
    assert.deepEqual(inSpring, ["2026-03-29T00:30:00.000Z", "2026-03-29T01:30:00.000Z"]);
    const inAutumn = firings("30 * * * *", "Europe/Berlin", new Date("2026-10-24T23:45:00Z"), new Date("2026-10-25T02:00:00Z"));
    assert.deepEqual(inAutumn, ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]);
  });
});

/** Nights in which clocks change, and one in which they do not. */
const NIGHTS: [zone: string, around: string][] = [
  ["Europe/Berlin", "2026-03-29T01:00Z"],
  ["Europe/Berlin", "2026-10-25T01:00Z"],
  ["America/New_York", "2026-03-08T07:00Z"],
  ["America/New_York", "2026-11-01T06:00Z"],
  ["America/Sao_Paulo", "2018-11-04T03:00Z"],
  ["America/Sao_Paulo", "2019-02-17T02:00Z"],
  ["America/Havana", "2026-03-08T05:00Z"],
  ["Asia/Beirut", "2026-03-28T22:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
  ["Africa/Casablanca", "2026-02-15T02:00Z"],
  ["Antarctica/Troll", "2026-03-29T01:00Z"],
  ["Antarctica/Troll", "2026-10-25T01:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00Z"],
  ["Asia/Kathmandu", "2028-02-28T18:15Z"],
];

/** What cron(8) says, done minute by minute: slow, and simple enough to be believed. */
function slowFirings(text: string, zoneName: string, from: Date, until: Date): string[] {
  const parsed = parseCron(text);
  const zone = openZone(zoneName);
  assert.ok("line" in parsed && zone !== undefined);
  const { line } = parsed;
  const fits = (localMs: number): boolean => {
    const at = new Date(localMs);
    const [byDay, byWeekday] = [line.days.has(at.getUTCDate()), line.weekdays.has(at.getUTCDay())];
    return (
      line.minutes.includes(at.getUTCMinutes()) &&
      line.hours.includes(at.getUTCHours()) &&
      line.months.has(at.getUTCMonth() + 1) &&
      (line.needsBothDays ? byDay && byWeekday : byDay || byWeekday)
    );
  };
  const found: string[] = [];
  let shown = zone.localMs(from.getTime());
  for (let at = from.getTime() + MINUTE_MS; at <= until.getTime(); at += MINUTE_MS) {
    const local = zone.localMs(at);
    let fires = line.isWildcard && fits(local);
    if (!line.isWildcard) for (let each = shown + MINUTE_MS; each <= local; each += MINUTE_MS) fires ||= fits(each);
    if (fires) found.push(new Date(at).toISOString());
    shown = Math.max(shown, local);
  }
  return found;
}

it("any line in any of these nights fires as it does when it is followed minute by minute", () => {
  const field = (min: number, max: number) => {
    const value = fc.integer({ min, max });
    const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    return fc.oneof(
      fc.constant("*"),
      fc.integer({ min: 2, max: 13 }).map((step) => `*/${step}`),
      value.map(String),
      range,
      fc.array(fc.oneof(value.map(String), range), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(",")),
    );
  };
  const days = fc.constantFrom("* * *", "* * 0", "* * 6,0", "25-29 * *", "*/2 * 0", "1,29 3,10 7");
  const lines = fc.tuple(field(0, 59), field(0, 4), days).map((parts) => parts.join(" "));
  fc.assert(
    // Also from the middle of an hour that comes twice.
    fc.property(lines, fc.constantFrom(...NIGHTS), fc.integer({ min: -7 * 60, max: 4 * 60 }), (text, [zone, around], minutes) => {
      const before = new Date(Date.parse(around) - 7 * HOUR_MS);
      const from = new Date(Date.parse(around) + minutes * MINUTE_MS);
      const until = new Date(Date.parse(around) + 7 * HOUR_MS);
      const expected = slowFirings(text, zone, before, until).filter((at) => at > from.toISOString());
      assert.deepEqual(firings(text, zone, from, until), expected);
    }),
    { numRuns: 400 },
  );
});

describe("time zones", () => {
  for (const name of ["UTC", "Europe/Berlin", "america/new_york", "Asia/Kolkata", "Etc/GMT+5"]) {
    it(`${name} is one`, () => assert.ok(openZone(name) !== undefined));
  }
  for (const name of ["", "Nowhere/City", "+02:00", "02:00", "Europe/Berlin ", "../etc/passwd", "x".repeat(64)]) {
    it(`${JSON.stringify(name)} is none`, () => assert.equal(openZone(name), undefined));
  }
});
