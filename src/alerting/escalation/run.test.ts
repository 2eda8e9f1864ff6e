import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { deliveryFromRow, runFromRow, runToKey, runToState } from "./rows.ts";
import { advance, begin, dueAt, end, isLive, lastWaitMs, type Run, type World } from "./run.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);

function planOf(...delays: number[]): Run["plan"] {
  const levels = delays.map((delaySeconds, index) => ({ delaySeconds, channelIds: [index + 1] }));
  return { name: "Nights", filters: { severities: [], tags: [] }, levels };
}

const runOf = (...delays: number[]): Run => ({ ...begin({ alertId: 7, policyId: 3, plan: planOf(...delays) }, noon), id: 1 });
const world = (seconds: number, fields: Partial<World> = {}): World => ({
  now: at(seconds),
  granted: true,
  alert: "open",
  maintainedUntil: () => undefined,
  silencedUntil: () => undefined,
  ...fields,
});

/** As a restart of the program leaves it. */
function reread(run: Run): Run {
  const { version: _, ...again } = runFromRow({ id: run.id, ...runToKey(run), ...runToState(run), version: 4 });
  return again;
}

describe("a run", () => {
  it("waits for the delay of each level from its start, then for the last wait", () => {
    let run = runOf(0, 300, 900);
    assert.deepEqual(dueAt(run), at(0));
    for (const [seconds, level] of [
      [0, 0],
      [300, 1],
      [900, 2],
    ] as const) {
      assert.equal(advance(run, world(seconds - 0.001)), undefined);
      const step = advance(run, world(seconds));
      assert.partialDeepStrictEqual(step, { what: "level", levelIndex: level, channelIds: [level + 1] });
      run = step?.next ?? run;
      assert.equal(run.levelIndex, level + 1);
      assert.equal(advance(run, world(seconds)), undefined);
    }
    assert.equal(advance(run, world(1499)), undefined);
    const last = advance(run, world(1500));
    assert.partialDeepStrictEqual(last, {
      what: "exhausted",
      levelIndex: 2,
      channelIds: [3],
      next: { status: "exhausted", endedAt: at(1500), nextAt: null },
    });
    assert.equal(advance(last?.next ?? run, world(9999)), undefined);
  });

  it("does not wait for the time of a clock that was set back", () => {
    const first = advance(runOf(0, 300), world(0))?.next;
    assert.ok(first !== undefined);
    const shifted = advance(first, world(-7200));
    assert.deepEqual([shifted?.what, shifted && dueAt(shifted.next)], ["put_off", at(-6900)]);
    const run = reread(shifted?.next ?? first);
    assert.equal(advance(run, world(-6901)), undefined);
    assert.partialDeepStrictEqual(advance(run, world(-6900)), { what: "level", levelIndex: 1 });
  });

  it("gives the last level as long as the one before it had, and never nothing", () => {
    assert.deepEqual(
      [planOf(0), planOf(30), planOf(0, 5), planOf(10, 100, 400)].map((plan) => lastWaitMs(plan) / 1000),
      [60, 30, 5, 300],
    );
  });

  it("notifies every overdue level, one by one, and gives the last one its time from then", () => {
    let run = runOf(0, 60);
    for (let index = 0; index < 2; index += 1) run = advance(run, world(10_000))?.next ?? run;
    assert.equal(run.levelIndex, 2);
    assert.deepEqual(run.nextAt, at(10_060));
  });

  const stops: [what: string, fields: Partial<World>, status: Run["status"]][] = [
    ["is acknowledged", { alert: "acknowledged" }, "stopped_by_ack"],
    ["is resolved", { alert: "resolved" }, "stopped_by_resolution"],
    ["loses its edition", { granted: false }, "stopped_by_edition_downgrade"],
    ["is resolved and loses its edition", { granted: false, alert: "resolved" }, "stopped_by_resolution"],
  ];
  for (const [what, fields, status] of stops) {
    it(`that ${what} is over, active or paused`, () => {
      const paused = advance(runOf(60), world(1, { maintainedUntil: () => at(100) }))?.next ?? runOf(60);
      assert.equal(paused.status, "paused_by_maintenance");
      for (const run of [runOf(60), paused]) {
        const step = advance(run, world(30, fields));
        assert.partialDeepStrictEqual(step, {
          what: "stopped",
          next: { status, endedAt: at(30), nextAt: null, pausedAt: null, pausedUntil: null },
        });
        assert.equal(dueAt(step?.next ?? run), null);
      }
    });
  }

  it("that is over stays as it is", () => {
    const over = end(runOf(0), "stopped_by_ack", at(1));
    assert.equal(isLive(over), false);
    assert.equal(end(over, "stopped_by_resolution", at(2)), over);
  });

  it("is paused by a silence as by maintenance, by the one that lasts longer, and by one after the other", () => {
    const both = {
      maintainedUntil: (when: Date) => (when < at(50) ? at(50) : undefined),
      silencedUntil: (when: Date) => (when >= at(40) && when < at(80) ? at(80) : undefined),
    };
    let run = advance(runOf(60), world(20, both))?.next ?? runOf(60);
    assert.partialDeepStrictEqual(run, { status: "paused_by_maintenance", pausedUntil: at(50) });
    run = advance(run, world(40, both))?.next ?? run;
    assert.partialDeepStrictEqual(run, { status: "paused_by_silence", pausedAt: at(20), pausedUntil: at(80) });
    assert.deepEqual([isLive(run), dueAt(run)], [true, at(80)]);
    assert.equal(advance(run, world(79, both)), undefined);
    assert.partialDeepStrictEqual(advance(run, world(80, both)), { what: "resumed", next: { status: "active", pausedMs: 60_000 } });
    const late = advance(reread({ ...run, status: "paused_by_maintenance", pausedUntil: at(50) }), world(500, both));
    assert.partialDeepStrictEqual(late, { what: "resumed", next: { pausedMs: 60_000 } });
  });

  it("is paused by maintenance and continues where it was, later by the pause", () => {
    const until = (over: number) => ({ maintainedUntil: (when: Date) => (when < at(over) ? at(over) : undefined) });
    let run = advance(runOf(60), world(20, until(50)))?.next ?? runOf(60);
    assert.partialDeepStrictEqual(run, { status: "paused_by_maintenance", pausedAt: at(20), pausedUntil: at(50), levelIndex: 0 });
    assert.deepEqual(dueAt(run), at(50));
    assert.equal(advance(run, world(40, until(50))), undefined);
    run = advance(run, world(40, until(100)))?.next ?? run;
    assert.deepEqual(dueAt(run), at(100));
    const resumed = advance(run, world(100, until(100)));
    assert.partialDeepStrictEqual(resumed, {
      what: "resumed",
      next: { status: "active", nextAt: at(140), pausedMs: 80_000, pausedAt: null },
    });
  });

  it("continues at once when the window is cancelled, and from its end when that was noticed late", () => {
    const paused = advance(runOf(60), world(20, { maintainedUntil: () => at(50) }))?.next ?? runOf(60);
    assert.deepEqual(advance(paused, world(30))?.next.nextAt, at(70));
    assert.deepEqual(advance(paused, world(3000))?.next.nextAt, at(90));
    const followed = { maintainedUntil: (when: Date) => (when < at(80) ? at(80) : undefined) };
    assert.deepEqual(advance(paused, world(3000, followed))?.next.nextAt, at(120));
  });
});

test("rows hold a run whole", () => {
  const run: Run = { ...runOf(0, 5), pausedAt: at(1), pausedUntil: at(2), pausedMs: 3, status: "paused_by_maintenance", levelIndex: 1 };
  assert.deepEqual(reread(run), run);
  const row = { id: 1, run_id: 2, delivery_id: null, channel_id: 3, level_index: 0, kind: "level", event: "alert.fired", status: "failed" };
  assert.partialDeepStrictEqual(deliveryFromRow({ ...row, error: "x", created_at: 5, settled_at: null }), {
    runId: 2,
    settledAt: null,
    error: "x",
  });
});

interface Span {
  from: number;
  to: number;
}

const spans = (count: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 1, max: 25 })), { maxLength: count })
    .map((pairs) => pairs.map(([from, length]): Span => ({ from, to: from + length })));
const delaysOf = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 10 })
  .map((delays) => delays.sort((a, b) => a - b));

const END = 400;

/** Windows that overlap or touch are one. */
function united(windows: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const { from, to } of [...windows].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}

test("in any order of levels, pauses, restarts and acknowledgment no level is skipped or notified twice, and each waits longer by exactly the pauses", () => {
  const given = fc.record({
    delays: delaysOf,
    windows: spans(5),
    downs: spans(3),
    ackAt: fc.option(fc.integer({ min: 0, max: 120 }), { nil: END }),
  });
  fc.assert(
    fc.property(given, ({ delays, windows, downs, ackAt }) => {
      const isUp = (second: number): boolean => downs.every(({ from, to }) => second < from || second >= to);
      const covering = (when: Date): Date | undefined => {
        const ends = windows.filter(({ from, to }) => at(from) <= when && when < at(to)).map(({ to }) => to);
        return ends.length === 0 ? undefined : at(Math.max(...ends));
      };
      let run = runOf(...delays);
      const sent: [level: number, second: number][] = [];
      let exhausted = 0;
      for (let second = 0; second <= END; second += 1) {
        if (!isUp(second)) continue;
        run = reread(run);
        for (;;) {
          const step = advance(run, world(second, { maintainedUntil: covering, alert: second >= ackAt ? "acknowledged" : "open" }));
          if (step === undefined) break;
          if (step.what === "level") sent.push([step.levelIndex, second]);
          if (step.what === "exhausted") exhausted += 1;
          run = step.next;
        }
      }

      // What the clock of the run has counted at a second: those that no pause takes. A pause begins when somebody looks.
      const looks = Array.from({ length: END + 1 }, (_, second) => second).filter(isUp);
      const pauses = united(windows).flatMap(({ from, to }): Span[] => {
        const seen = looks.find((second) => second >= from && second < to);
        return seen === undefined ? [] : [{ from: seen, to }];
      });
      const isPaused = (second: number): boolean => pauses.some(({ from, to }) => second >= from && second < to);
      const counted = (second: number): number =>
        Array.from({ length: second }, (_, each) => each).filter((each) => !isPaused(each)).length;
      const expected = delays.flatMap((delay, level): [number, number][] => {
        const second = looks.find((each) => !isPaused(each) && counted(each) >= delay);
        return second === undefined || second >= ackAt ? [] : [[level, second]];
      });
      assert.deepEqual(sent, expected);
      assert.equal(run.levelIndex, sent.length);
      assert.equal(run.status, exhausted === 1 ? "exhausted" : "stopped_by_ack");
      assert.ok(exhausted <= 1 && (exhausted === 0 || sent.length === delays.length));
    }),
    { numRuns: 400 },
  );
});
