import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fc } from "../../../test/support/seed.ts";
import { createSchedule, type Turn } from "./schedule.ts";

interface Entry extends Turn {
  name: string;
}

function setUp({ atOnce = 100, perHost = 100, takesMs = 0 } = {}) {
  const clock = createFakeClock();
  const runs: string[] = [];
  const late: number[] = [];
  const heldUp: number[] = [];
  const running: Entry[] = [];
  let most = 0;
  const schedule = createSchedule<Entry>({
    clock,
    atOnce,
    perHost,
    onStart: (lateMs) => late.push(lateMs),
    onHeldUp: (heldUpMs) => heldUp.push(heldUpMs),
    async run(entry) {
      runs.push(`${entry.name}@${clock.monotonicMs()}`);
      assert.ok(!running.includes(entry));
      running.push(entry);
      most = Math.max(most, running.length);
      assert.ok(running.filter(({ host }) => host === entry.host).length <= perHost);
      if (takesMs > 0) await new Promise<void>((resolve) => clock.after(takesMs, resolve));
      running.splice(running.indexOf(entry), 1);
    },
  });
  const plan = (name: string, dueMs: number, host = name): Entry => {
    const entry = { name, host, dueMs, place: -1 };
    schedule.plan(entry);
    return entry;
  };
  return { clock, schedule, plan, runs, late, heldUp, most: () => most };
}

describe("the schedule of checks", () => {
  it("runs each when it is due, whatever the order of planning", async () => {
    const { clock, plan, runs } = setUp();
    plan("c", 300);
    plan("a", 100);
    plan("b", 200);
    await clock.advance(250);
    assert.deepEqual(runs, ["a@100", "b@200"]);
    await clock.advance(100);
    assert.deepEqual(runs, ["a@100", "b@200", "c@300"]);
  });

  it("starts together what is due within moments, by few timers", async () => {
    const { clock, plan, runs } = setUp();
    for (let index = 0; index < 100; index += 1) plan("x", 1000 + index / 10);
    let timers = 0;
    const { after } = clock;
    clock.after = (delayMs, callback) => ((timers += 1), after(delayMs, callback));
    await clock.advance(1050);
    assert.equal(runs.length, 100);
    assert.ok(timers <= 2, `${timers} timers`);
  });

  it("never runs more at once than it may, and then the longest overdue first", async () => {
    const { clock, plan, runs, late } = setUp({ atOnce: 2, takesMs: 100 });
    for (const [index, name] of ["a", "b", "c", "d", "e"].entries()) plan(name, index);
    await clock.advance(1000);
    assert.deepEqual(runs, ["a@0", "b@50", "c@100", "d@150", "e@200"]);
    assert.deepEqual(late, [0, 49, 98, 147, 196]);
  });

  it("does not let one host hold up the others", async () => {
    const { clock, plan, runs } = setUp({ atOnce: 10, perHost: 2, takesMs: 1000 });
    for (let index = 0; index < 6; index += 1) plan(`dead${index}`, 0, "dead");
    plan("well", 0);
    await clock.advance(10);
    assert.deepEqual(runs, ["dead0@0", "dead1@0", "well@0"]);
    await clock.advance(3000);
    assert.equal(runs.length, 7);
    assert.deepEqual(runs.slice(3), ["dead2@1000", "dead3@1000", "dead4@2000", "dead5@2000"]);
  });

  it("forgets what is withdrawn, planned or waiting", async () => {
    const { clock, schedule, plan, runs } = setUp({ atOnce: 2, perHost: 1, takesMs: 100 });
    const planned = plan("planned", 50);
    plan("runs", 0, "host");
    const waiting = plan("waits", 0, "host");
    plan("next", 0, "host");
    await clock.advance(20);
    schedule.withdraw(planned);
    schedule.withdraw(waiting);
    await clock.advance(1000);
    assert.deepEqual(runs, ["runs@0", "next@100"]);
  });

  it("lets the next of a host take the place of one that is withdrawn", async () => {
    const { clock, schedule, plan, runs } = setUp({ atOnce: 1, perHost: 1, takesMs: 100 });
    plan("runs", 0, "host");
    plan("other", 1);
    const ready = plan("ready", 2, "host");
    plan("waits", 3, "host");
    await clock.advance(120);
    schedule.withdraw(ready);
    await clock.advance(1000);
    assert.deepEqual(runs, ["runs@0", "other@100", "waits@200"]);
  });

  it("keeps distances over a sleep instead of running everything at once", async () => {
    const { clock, schedule, plan, runs, heldUp } = setUp();
    for (let index = 1; index <= 3; index += 1) plan(`x${index}`, index * 1000);
    // The machine sleeps: time passes, and the timer fires when it wakes.
    const { monotonicMs } = clock;
    await clock.advance(500);
    clock.monotonicMs = () => monotonicMs() + 60_000;
    await clock.advance(5000);
    assert.deepEqual(runs, ["x1@61000", "x2@62000", "x3@63000"]);
    assert.deepEqual(heldUp, [60_000]);
    assert.equal(schedule.nowMs(), 5500);
  });

  it("does not take a long wait for a place for a sleep", async () => {
    const { clock, plan, runs, heldUp } = setUp({ atOnce: 1, takesMs: 30_000 });
    plan("a", 0);
    plan("b", 0);
    await clock.advance(100_000);
    assert.deepEqual(runs, ["a@0", "b@30000"]);
    assert.deepEqual(heldUp, []);
  });

  it("starts a backlog little by little", async () => {
    const { clock, plan, runs } = setUp({ atOnce: 1000, perHost: 1000 });
    for (let index = 0; index < 400; index += 1) plan("x", 0);
    await clock.advance(0);
    assert.ok(runs.length > 0 && runs.length < 200);
    await clock.advance(200);
    assert.equal(runs.length, 400);
  });

  it("begins nothing after it was stopped", async () => {
    const { clock, schedule, plan, runs } = setUp({ atOnce: 1, takesMs: 100 });
    plan("a", 0);
    plan("b", 0);
    await clock.advance(10);
    schedule.stop();
    plan("c", 0);
    await clock.advance(1000);
    assert.deepEqual(runs, ["a@0"]);
  });

  it("loses nothing, whatever is planned and withdrawn", async () => {
    const entry = fc.record({ dueMs: fc.nat(500), host: fc.constantFrom("a", "b", "c"), withdrawnMs: fc.option(fc.nat(800), { freq: 3 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (plans, atOnce, perHost) => {
          const { clock, schedule, plan, runs, most } = setUp({ atOnce, perHost, takesMs: 120 });
          const entries = plans.map(({ dueMs, host }, index) => plan(String(index), dueMs, host));
          for (const [index, { withdrawnMs }] of plans.entries()) {
            const each = entries[index];
            if (withdrawnMs !== null && each !== undefined) clock.after(withdrawnMs, () => schedule.withdraw(each));
          }
          await clock.advance(25 * 120 + 1000);
          const ran = runs.map((run) => run.split("@")[0]);
          assert.equal(new Set(ran).size, ran.length);
          for (const [index, { withdrawnMs }] of plans.entries())
            assert.ok(withdrawnMs !== null || ran.includes(String(index)), `${index} was lost`);
          assert.ok(most() <= atOnce);
        },
      ),
      { numRuns: 60 },
    );
  });
});
