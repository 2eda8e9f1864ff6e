import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SPARKLINE_CHECKS } from "../../contract/endpoint.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { failure, success } from "../../../test/support/endpoints.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Check, toCheck } from "./checks/head.ts";
import {
  addCounts,
  addPast,
  byDay,
  copyTally,
  type Counts,
  countCheck,
  countLate,
  dayOf,
  endStretch,
  newTally,
  pointsOf,
  stateSpans,
  type Tally,
  tallyFromText,
  tallyToText,
  uptime24h,
} from "./tally.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const LONGEST = 55_000;

function check(
  atMs: number,
  { ok = true, observed = true, ms = 10 }: { ok?: boolean; observed?: boolean; ms?: number | null } = {},
): Check {
  return toCheck({ ...(ok ? success : failure), observed, responseTimeMs: ms }, new Date(atMs));
}

function count(checks: readonly Check[], from = newTally()): Tally {
  const tally = copyTally(from);
  for (const each of checks) countCheck(tally, each, LONGEST);
  return tally;
}

function ended(tally: Tally, atMs = Infinity): Tally {
  const copy = copyTally(tally);
  endStretch(copy, atMs, LONGEST);
  return copy;
}

describe("counting checks", () => {
  it("counts from the start once a clock that was far ahead is set back", () => {
    const ahead = count([0, 30_000, 60_000].map((ms) => check(NOON + 40 * DAY_MS + ms)));
    const day = Array.from({ length: 2 * 60 * 24 + 1 }, (_, index) => check(NOON + index * 30_000, { ok: index >= 2 * 60 * 12 }));
    const now = NOON + DAY_MS;
    assert.equal(uptime24h(count(day, ahead), now, LONGEST), uptime24h(count(day), now, LONGEST));
    assert.ok(Math.abs((uptime24h(count(day, ahead), now, LONGEST) ?? 0) - 50) < 0.1);
  });

  it("gives the time between two checks to the first of them", () => {
    const tally = count([check(NOON), check(NOON + 30_000, { ok: false }), check(NOON + 40_000)]);
    assert.deepEqual([...tally.days], [[dayOf(NOON), { checks: 3, failures: 1, upMs: 30_000, downMs: 10_000, incidents: 0 }]]);
    assert.equal(uptime24h(tally, NOON + 40_000, LONGEST), 75);
    assert.equal(uptime24h(tally, NOON + 50_000, LONGEST), 80, "what the last one speaks for counts too");
  });

  it("counts no longer than a check speaks for", () => {
    const tally = count([check(NOON), check(NOON + HOUR_MS)]);
    assert.equal(tally.days.get(dayOf(NOON))?.upMs, LONGEST);
  });

  it("counts nothing after a check that was not observed, nor after the end", () => {
    const away = count([check(NOON), check(NOON + 10_000, { observed: false }), check(NOON + 20_000)]);
    assert.deepEqual(away.days.get(dayOf(NOON)), { checks: 2, failures: 0, upMs: 10_000, downMs: 0, incidents: 0 });
    const over = ended(count([check(NOON)]), NOON + 5_000);
    assert.equal(uptime24h(over, NOON + 50_000, LONGEST), 100);
    assert.equal(count([check(NOON + 50_000)], over).days.get(dayOf(NOON))?.upMs, 5_000);
  });

  it("cuts at midnight", () => {
    const midnight = NOON + DAY_MS / 2;
    const tally = count([check(midnight - 10_000), check(midnight + 30_000)]);
    assert.deepEqual(
      [...tally.days].map(([day, { checks, upMs }]) => [day, checks, upMs]),
      [
        [dayOf(NOON), 1, 10_000],
        [dayOf(NOON) + 1, 1, 30_000],
      ],
    );
  });

  it("has no uptime where nothing was observed, and forgets after 24 hours", () => {
    assert.equal(uptime24h(newTally(), NOON, LONGEST), null);
    const tally = ended(count([check(NOON, { ok: false }), check(NOON + 30_000)]), NOON + 60_000);
    assert.equal(uptime24h(tally, NOON + 23 * HOUR_MS, LONGEST), 50);
    assert.equal(uptime24h(tally, NOON + 25 * HOUR_MS + 1, LONGEST), null);
  });

  it("cuts percents and does not round them", () => {
    const tally = count([check(NOON), ...Array.from({ length: 2000 }, (_, index) => check(NOON + (index + 1) * 30_000))]);
    const down = count([check(NOON + 2001 * 30_000, { ok: false }), check(NOON + 2001 * 30_000 + 1)], tally);
    assert.equal(uptime24h(down, NOON + 2001 * 30_000 + 1, LONGEST), 99.99);
  });

  it("keeps the last response times; one that failed has none", () => {
    const checks = Array.from({ length: 40 }, (_, index) => check(NOON + index * 1000, { ms: index, ok: index !== 38 }));
    const points = pointsOf(count(checks));
    assert.equal(points.length, SPARKLINE_CHECKS);
    assert.deepEqual(points.slice(-3), [37, null, 39]);
  });

  it("is the same after it was written and read", () => {
    const tally = count([check(NOON), check(NOON + 30_000, { ok: false, ms: null })]);
    const read = tallyFromText(tallyToText(tally));
    assert.deepEqual({ ...read, days: tally.days }, tally);
    const later = count([check(NOON + 90_000)], read);
    assert.deepEqual(pointsOf(later), [10, null, 10]);
  });
});

/** Checks at rising times, with gaps from a second to two hours. */
const someChecks = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 7200 })),
      ok: fc.boolean(),
      observed: fc.boolean(),
    }),
    {
      maxLength: 80,
    },
  )
  .map((steps) => {
    let atMs = NOON;
    return steps.map(({ gap, ok, observed }) => check((atMs += gap * 1000), { ok, observed: observed || gap % 3 !== 0 }));
  });

const inOrder = (days: ReadonlyMap<number, Counts>): object =>
  Object.fromEntries([...days].filter(([, counts]) => Object.values(counts).some((value) => value !== 0)).toSorted(([a], [b]) => a - b));

describe("any checks", () => {
  it("come to the same when they are counted one by one, and second by second", () => {
    fc.assert(
      fc.property(someChecks, (checks) => {
        const { days } = ended(count(checks), Infinity);
        let [upMs, downMs] = [0, 0];
        for (const [index, { atMs, observed, success: ok }] of checks.entries()) {
          if (!observed) continue;
          const untilMs = Math.min(checks[index + 1]?.atMs ?? Infinity, atMs + LONGEST);
          if (ok) upMs += untilMs - atMs;
          else downMs += untilMs - atMs;
        }
        const all = [...days.values()];
        assert.equal(
          all.reduce((sum, each) => sum + each.upMs, 0),
          upMs,
        );
        assert.equal(
          all.reduce((sum, each) => sum + each.downMs, 0),
          downMs,
        );
        assert.equal(
          all.reduce((sum, each) => sum + each.checks, 0),
          checks.filter(({ observed }) => observed).length,
        );
      }),
    );
  });

  it("come to the same in whatever order they arrive", () => {
    fc.assert(
      fc.property(someChecks, fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (checks, isLate) => {
        const inTime = checks.filter((_, index) => isLate[index] !== true);
        const late = checks.filter((_, index) => isLate[index] === true);
        const together = ended(count(checks), Infinity);
        const filled = ended(fill(ended(count(inTime), Infinity), inTime, late));
        assert.deepEqual(inOrder(filled.days), inOrder(together.days));
        const end = (checks.at(-1)?.atMs ?? NOON) + LONGEST;
        const share = (tally: Tally): number | null => uptime24h(tally, end, LONGEST);
        assert.equal(share(filled), share(together));
      }),
    );
  });

  it("come to the same when a replay in parts comes after nobody looks any more", () => {
    const at = (second: number): Check => check(NOON + second * 1000, { ok: false });
    const end = check(NOON + HOUR_MS, { observed: false });
    let tally = count([at(56), end]);
    const known = [at(56), end];
    for (const late of [at(0), at(22), at(57)]) {
      tally = fill(tally, known, [late]);
      known.push(late);
    }
    assert.equal(ended(tally).days.get(dayOf(NOON))?.downMs, 57_000 + LONGEST);
  });

  it("come to the same when a replay comes between two that are in time, whether the last one still speaks or not", () => {
    fc.assert(
      fc.property(
        someChecks,
        fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }),
        fc.nat(80),
        fc.nat(3),
        (checks, isLate, cut, parts) => {
          const before = checks.slice(0, cut);
          const inTime = before.filter((_, index) => isLate[index] !== true);
          const late = before.filter((_, index) => isLate[index] === true);
          const known = [...inTime];
          let tally = count(inTime);
          for (let part = 0; part <= parts; part += 1) {
            const some = late.slice((late.length * part) / (parts + 1), (late.length * (part + 1)) / (parts + 1));
            tally = fill(tally, known, some);
            known.push(...some);
          }
          tally = ended(count(checks.slice(cut), tally));
          const together = ended(count(checks));
          assert.deepEqual(inOrder(tally.days), inOrder(together.days));
          const end = (checks.at(-1)?.atMs ?? NOON) + LONGEST;
          assert.equal(uptime24h(tally, end, LONGEST), uptime24h(together, end, LONGEST));
        },
      ),
    );
  });
});

describe("hours of the last day", () => {
  it("are up or down by the results that lasted longer, and missing where there was none", () => {
    const tally = newTally();
    for (let minute = 0; minute < 180; minute += 0.5)
      countCheck(tally, check(NOON + minute * 60_000, { ok: minute < 60 || minute >= 100 }), LONGEST);
    const hour = (index: number): number => NOON + index * HOUR_MS;
    const window = { from: NOON + 60_000, to: hour(5) };
    assert.deepEqual(stateSpans(tally, window, LONGEST), [
      { from: window.from, to: hour(1), state: "up" },
      { from: hour(1), to: hour(2), state: "down" },
      { from: hour(2), to: hour(3), state: "up" },
      { from: hour(3), to: hour(3) - 30_000 + LONGEST, state: "up" },
    ]);
  });

  it("are known only for as long as checks spoke in them, beside hours in which none did", () => {
    const minute = (index: number): number => NOON + index * 60_000;
    const every30s = (from: number, to: number): Check[] =>
      Array.from({ length: (to - from) * 2 }, (_, index) => check(minute(from) + index * 30_000));
    const spansOfDay = (tally: Tally, to: number) =>
      stateSpans(tally, { from: minute(-600), to: minute(to) }, LONGEST).map(({ from, to: end }) => [
        (from - NOON) / 60_000,
        (end - NOON) / 60_000,
      ]);
    // After the last check before a gap it is known for a part of a minute more.
    const rest = LONGEST / 60_000 - 0.5;
    const tally = count([...every30s(40, 80), ...every30s(310, 370)]);
    assert.deepEqual(spansOfDay(tally, 370), [
      [40, 60],
      [60, 80 + rest],
      [310, 360],
      [360, 370],
    ]);
    assert.deepEqual(spansOfDay(tally, 430).at(-1), [360, 370 + rest]);
    assert.deepEqual(spansOfDay(ended(tally, minute(370)), 430).at(-1), [360, 370]);
    assert.deepEqual(spansOfDay(count(every30s(10, 20)), 20), [[10, 20]]);
  });
});

/** As {@link createPast} does it: by the checks that are known near by. */
function fill(from: Tally, known: readonly Check[], late: readonly Check[]): Tally {
  if (late.length === 0) return from;
  const tally = copyTally(from);
  const times = late.map(({ atMs }) => atMs);
  const near = known
    .filter(({ atMs }) => atMs >= Math.min(...times) - LONGEST && atMs <= Math.max(...times) + LONGEST)
    .toSorted((a, b) => a.atMs - b.atMs);
  const counted = countLate({ known: near, late, carry: tally.carry }, LONGEST);
  for (const [day, counts] of byDay(late, counted.spans)) addCounts(tally.days, day, counts);
  addPast(tally, counted);
  return tally;
}
