import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTimetable, type Schedule, expireRuns, limitOf, type Run, startRun, takeRun } from "./schedule.ts";

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

const noon = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
const run = (rid: string | null, seconds = 0): Run => ({ rid, startedAt: after(seconds) });
const byLimit = (now: Date) => ({ isOver: (_run: Run, limit: Date) => limit <= now });

it("runs with different rids overlap", () => {
  const { runs, givenUp } = startRun([run(null), run("a")], "b", after(5));
  assert.deepEqual(runs, [run(null), run("a"), run("b", 5)]);
  assert.deepEqual(givenUp, []);
});

it("a start gives up the run under the same rid, and so one without", () => {
  assert.deepEqual(startRun([run("a"), run("b")], "a", after(5)), {
    runs: [run("b"), run("a", 5)],
    givenUp: [{ ...run("a"), endedAt: after(5), outcome: "timeout", exitCode: null }],
  });
  assert.deepEqual(startRun([run(null)], null, after(5)).givenUp.length, 1);
});

it("100 runs may be open; the oldest of more is given up, and one that is started again is not one more", () => {
  let runs: readonly Run[] = [];
  for (let index = 0; index < 100; index += 1) {
    const started = startRun(runs, String(index), after(index));
    assert.deepEqual([started.runs.length, started.givenUp], [index + 1, []]);
    ({ runs } = started);
  }
  const more = startRun(runs, "more", after(1000));
  assert.deepEqual(more.runs, [...runs.slice(1), run("more", 1000)]);
  assert.deepEqual(more.givenUp, [{ ...run("0"), endedAt: after(1000), outcome: "timeout", exitCode: null }]);

  const restarted = startRun(runs, "50", after(1000));
  assert.deepEqual(
    [restarted.runs.length, restarted.givenUp],
    [100, [{ ...run("50", 50), endedAt: after(1000), outcome: "timeout", exitCode: null }]],
  );
});

it("an end belongs to the run with its rid, and to no other", () => {
  const runs = [run(null), run("a")];
  assert.deepEqual(takeRun(runs, "a"), { runs: [run(null)], taken: run("a") });
  assert.deepEqual(takeRun(runs, null), { runs: [run("a")], taken: run(null) });
  assert.deepEqual(takeRun(runs, "b"), { runs, taken: undefined });
});

it("a run lasts as long as its max runtime, else a day if it has a rid, else until the next start", () => {
  assert.deepEqual(limitOf(run("a"), 60), after(60));
  assert.deepEqual(limitOf(run(null), 60), after(60));
  assert.deepEqual(limitOf(run("a"), null), after(86_400));
  assert.equal(limitOf(run(null), null), null);
});

it("runs over their limit ended when it was reached", () => {
  const runs = [run("a"), run("b", 30), run(null, 90)];
  assert.deepEqual(expireRuns(runs, { maxRuntimeSeconds: 60, ...byLimit(after(100)) }), {
    runs: [run(null, 90)],
    givenUp: [
      { ...run("a"), endedAt: after(60), outcome: "timeout", exitCode: null },
      { ...run("b", 30), endedAt: after(90), outcome: "timeout", exitCode: null },
    ],
  });
});
