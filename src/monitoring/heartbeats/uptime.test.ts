import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { fc } from "../../../test/support/seed.ts";
import { countTime, type Day, type Gap, UPTIME_DAYS, openTally, type Standing, stateSpans, uptimePercent } from "./uptime.ts";

const at = (time: string): Date => new Date(`2026-03-${time}:00Z`);

const GAPLESS: Gap[] = [];
const gap = (from: string, until: string): Gap => ({ fromMs: at(from).getTime(), untilMs: at(until).getTime() });

describe("time is counted", () => {
  it("only since the beginning, and only what is known", () => {
    const begun = openTally(at("01T12:00"));
    const up = countTime(begun, "up", at("01T18:00"), GAPLESS).tally;
    const paused = countTime(up, "unknown", at("01T20:00"), GAPLESS).tally;
    const down = countTime(paused, "down", at("01T22:00"), GAPLESS).tally;
    assert.deepEqual([down.countedMs, down.downMs], [8 * HOUR_MS, 2 * HOUR_MS]);
    assert.equal(uptimePercent(down), 75);
  });

  it("by UTC days; those that are over are handed out", () => {
    const { tally, past } = countTime(openTally(at("01T12:00")), "down", at("03T06:00"), GAPLESS);
    const day = (start: string, hours: number): Day => ({
      startMs: at(start).getTime(),
      countedMs: hours * HOUR_MS,
      downMs: hours * HOUR_MS,
      checks: 0,
      incidents: 0,
    });
    assert.deepEqual(past, [day("01T00:00", 12), day("02T00:00", 24)]);
    assert.deepEqual(tally, { ...day("03T00:00", 6), countedUntilMs: at("03T06:00").getTime() });
  });

  it("not while no ping could be taken, whatever it was before", () => {
    const gaps = [gap("01T06:00", "01T09:00"), gap("01T13:00", "01T14:00"), gap("01T20:00", "03T03:00"), gap("03T07:00", "03T08:00")];
    for (const standing of ["up", "down"] as const) {
      const { tally, past } = countTime(openTally(at("01T08:00")), standing, at("03T06:00"), gaps);
      assert.deepEqual(
        [...past, tally].map(({ startMs, countedMs, downMs }) => [new Date(startMs).getUTCDate(), countedMs / HOUR_MS, downMs / HOUR_MS]),
        [
          [1, 10, standing === "down" ? 10 : 0],
          [3, 3, standing === "down" ? 3 : 0],
        ],
      );
    }
  });

  it("days of which nothing is known are not handed out", () => {
    assert.deepEqual(countTime(openTally(at("01T12:00")), "unknown", at("09T12:00"), GAPLESS).past, []);
  });

  it("a clock that goes back takes nothing away, and one that is wrong by decades makes no decades of days", () => {
    const begun = openTally(at("02T12:00"));
    assert.deepEqual(countTime(begun, "up", at("01T12:00"), GAPLESS), { tally: begun, past: [] });
    assert.equal(countTime(openTally(new Date(0)), "up", at("01T12:00"), GAPLESS).past.length, UPTIME_DAYS);
  });
});

it("nothing known is null, and percents are cut", () => {
  assert.equal(uptimePercent({ countedMs: 0, downMs: 0 }), null);
  assert.equal(uptimePercent({ countedMs: DAY_MS, downMs: 1 }), 99.99);
  assert.equal(uptimePercent({ countedMs: 10, downMs: 10 }), 0);
});

it("however often it is counted, it comes to the same", () => {
  const standing = fc.constantFrom<Standing[]>("up", "down", "unknown");
  const stretches = fc.array(fc.tuple(standing, fc.integer({ min: 0, max: 3 * DAY_MS })), { maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 0, max: 30 * DAY_MS }), { maxLength: 10 });
  const startMs = at("01T07:31").getTime();
  const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 * DAY_MS }), fc.integer({ min: 1, max: 2 * DAY_MS })), { maxLength: 6 });
  const gapsOf = (lengthsMs: readonly [number, number][]): Gap[] => {
    let untilMs = startMs - DAY_MS;
    return lengthsMs.map(([afterMs, lengthMs]) => {
      const fromMs = untilMs + afterMs;
      untilMs = fromMs + lengthMs;
      return { fromMs, untilMs };
    });
  };
  fc.assert(
    fc.property(stretches, cuts, lengths, (all, more, lengthsMs) => {
      const gaps = gapsOf(lengthsMs);
      const count = (marks: readonly number[]): Day[] => {
        let tally = openTally(new Date(startMs));
        const days: Day[] = [];
        let fromMs = startMs;
        for (const [how, lengthMs] of all) {
          const toMs = fromMs + lengthMs;
          for (const mark of [...marks.filter((each) => each > fromMs && each < toMs), toMs]) {
            const counted = countTime(tally, how, new Date(mark), gaps);
            days.push(...counted.past);
            tally = counted.tally;
          }
          fromMs = toMs;
        }
        const { countedUntilMs: _until, ...today } = tally;
        return [...days, today];
      };
      const once = count([]);
      assert.deepEqual(count(more.map((offset) => startMs + offset).sort((a, b) => a - b)), once);
      let known = 0;
      let fromMs = startMs;
      for (const [how, lengthMs] of all) {
        const toMs = fromMs + lengthMs;
        const lostMs = gaps.reduce((sum, each) => sum + Math.max(0, Math.min(each.untilMs, toMs) - Math.max(each.fromMs, fromMs)), 0);
        if (how !== "unknown") known += lengthMs - lostMs;
        fromMs = toMs;
      }
      assert.equal(
        once.reduce((sum, { countedMs }) => sum + countedMs, 0),
        known,
      );
    }),
  );
});

describe("pings are waited for", () => {
  const window = { from: at("01T06:00").getTime(), to: at("02T05:00").getTime() };
  const hours = (spans: ReturnType<typeof stateSpans>): (string | number)[][] =>
    spans.map(({ from, to, state }) => [state, (from - window.from) / HOUR_MS, (to - window.from) / HOUR_MS]);
  const count = (begun: string, steps: readonly (readonly [Standing, string])[], gaps = GAPLESS) => {
    let counted = { tally: openTally(at(begun)), past: [] as Day[] };
    for (const [standing, until] of steps) {
      const { tally, past } = countTime(counted.tally, standing, at(until), gaps);
      counted = { tally, past: [...counted.past, ...past] };
    }
    return { createdAt: at(begun), pausedSince: null, gaps, ...counted };
  };

  it("since the first one, while the program could take them", () => {
    const steps = [
      ["unknown", "01T12:00"],
      ["up", "02T04:00"],
    ] as const;
    const known = count("01T10:00", steps);
    assert.deepEqual(hours(stateSpans(known, window)), [["up", 6, 23]]);
    const gaps = [gap("01T11:00", "01T13:00"), gap("01T20:00", "01T22:00")];
    assert.deepEqual(hours(stateSpans(count("01T10:00", steps, gaps), window)), [
      ["up", 7, 14],
      ["up", 16, 23],
    ]);
  });

  it("until it is paused", () => {
    const known = { ...count("01T00:00", [["up", "02T03:00"]]), pausedSince: at("02T03:00") };
    assert.deepEqual(hours(stateSpans(known, window)), [
      ["up", 0, 21],
      ["stopped", 21, 23],
    ]);
  });
});
