import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS, HOUR_MS } from "../../../contract/time.ts";
import { fc } from "../../../../test/support/seed.ts";
import { COMPONENT_STATUSES, type ComponentStatus } from "../vocabulary.ts";
import { type Account, count, dayOf, forgetBefore, historyOf, ACCOUNT_DAYS, oldestDay } from "./account.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const status = fc.constantFrom(...COMPONENT_STATUSES);

function spend(account: Account, fromMs: number, ...parts: readonly (readonly [ComponentStatus, number])[]): number {
  let atMs = fromMs;
  for (const [each, lengthMs] of parts) count(account, each, { fromMs: atMs, untilMs: (atMs += lengthMs) });
  return atMs;
}

describe("an account of time", () => {
  it("splits at midnight UTC, and says which days changed", () => {
    const account: Account = new Map();
    const midnight = Date.parse("2026-03-02T00:00:00Z");
    assert.deepEqual(count(account, "major_outage", { fromMs: midnight - 1500, untilMs: midnight + 2500 }), [midnight - DAY_MS, midnight]);
    const { days } = historyOf(account, "operational", new Date(midnight + 2500));
    assert.deepEqual(
      days.slice(-2).map(({ date, worst, outageSeconds }) => [date, worst, outageSeconds]),
      [
        ["2026-03-01", "major_outage", 2],
        ["2026-03-02", "major_outage", 3],
      ],
    );
  });

  it("knows nothing of what was not counted", () => {
    const { days, uptime } = historyOf(new Map(), "operational", noon);
    assert.equal(days.length, ACCOUNT_DAYS);
    assert.equal(uptime, null);
    assert.deepEqual(days[0], { date: "2025-12-02", worst: null, uptime: null, outageSeconds: 0 });
    assert.deepEqual(days.at(-1), { date: "2026-03-01", worst: "operational", uptime: null, outageSeconds: 0 });
  });

  it("takes outages for outages, degraded time for time that it was there, and maintenance for neither", () => {
    const account: Account = new Map();
    spend(
      account,
      dayOf(noon.getTime()),
      ["operational", 2 * HOUR_MS],
      ["degraded", HOUR_MS],
      ["partial_outage", HOUR_MS / 2],
      ["major_outage", HOUR_MS / 2],
      ["maintenance", 6 * HOUR_MS],
    );
    const { days, uptime } = historyOf(account, "operational", noon);
    assert.equal(uptime, 0.75);
    assert.deepEqual(days.at(-1), { date: "2026-03-01", worst: "major_outage", uptime: 0.75, outageSeconds: 3600 });
    const works: Account = new Map();
    spend(works, dayOf(noon.getTime()), ["maintenance", HOUR_MS]);
    assert.deepEqual(historyOf(works, "operational", noon).days.at(-1), {
      date: "2026-03-01",
      worst: "maintenance",
      uptime: null,
      outageSeconds: 0,
    });
  });

  it("shows what is so now before any time of it was counted, and the shortest outage", () => {
    assert.equal(historyOf(new Map(), "major_outage", noon).days.at(-1)?.worst, "major_outage");
    const account: Account = new Map();
    spend(account, dayOf(noon.getTime()), ["major_outage", 5]);
    assert.equal(historyOf(account, "operational", noon).days.at(-1)?.outageSeconds, 1);
  });

  it("forgets what is older than the days it shows", () => {
    const account: Account = new Map();
    for (let day = 0; day < 200; day += 1) spend(account, dayOf(noon.getTime()) - day * DAY_MS, ["operational", 1000]);
    forgetBefore(account, oldestDay(noon));
    assert.equal(account.size, ACCOUNT_DAYS);
    assert.ok(historyOf(account, "operational", noon).days.every(({ uptime }) => uptime === 1));
  });

  it("accounts for exactly the time that passed, whatever happened in it", () => {
    const parts = fc.array(fc.tuple(status, fc.integer({ min: 0, max: 30 * HOUR_MS })), { maxLength: 30 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: DAY_MS }), (spent, offsetMs) => {
        const account: Account = new Map();
        const fromMs = dayOf(noon.getTime()) + offsetMs;
        const untilMs = spend(account, fromMs, ...spent);
        const sumOf = (each: ComponentStatus): number => [...account.values()].reduce((sum, times) => sum + times[each], 0);
        for (const each of COMPONENT_STATUSES) {
          const expected = spent.reduce((sum, [part, lengthMs]) => sum + (part === each ? lengthMs : 0), 0);
          assert.equal(sumOf(each), expected);
        }
        assert.ok([...account].every(([day]) => day % DAY_MS === 0 && day >= dayOf(fromMs) && day <= untilMs));
      }),
    );
  });

  it("makes no day longer than a day, and no share outside 0 to 1, though the clock is set back and forth", () => {
    const span = fc.tuple(status, fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: 0, max: DAY_MS }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), status, (spans, current) => {
        const account: Account = new Map();
        for (const [each, offsetMs, lengthMs] of spans) {
          const fromMs = dayOf(noon.getTime()) - offsetMs;
          count(account, each, { fromMs, untilMs: fromMs + lengthMs });
        }
        for (const times of account.values()) {
          const known = COMPONENT_STATUSES.reduce((sum, each) => sum + times[each], 0);
          assert.ok(known > 0 && known <= DAY_MS);
        }
        const { days, uptime } = historyOf(account, current, new Date(dayOf(noon.getTime()) + DAY_MS));
        assert.equal(days.length, ACCOUNT_DAYS);
        for (const share of [uptime, ...days.map((day) => day.uptime)]) assert.ok(share === null || (share >= 0 && share <= 1));
        for (const day of days) assert.ok(day.outageSeconds >= 0 && day.outageSeconds <= 86_400);
      }),
    );
  });
});
