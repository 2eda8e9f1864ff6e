import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { ServiceError } from "./errors.ts";
import { type Log, silentLog } from "./log.ts";
import { createScheduler } from "./scheduler.ts";

function setUp(log: Log = silentLog) {
  const clock = createFakeClock();
  const scheduler = createScheduler(clock, log);
  const runs: number[] = [];
  const note = (): void => void runs.push(clock.monotonicMs());
  return { clock, scheduler, runs, note };
}

test("runs every period, the first time after one", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({ name: "x", everyMs: 100, run: note });
  await clock.advance(350);
  assert.deepEqual(runs, [100, 200, 300]);
});

test("runs first when it is asked to", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({ name: "x", everyMs: 100, firstAfterMs: 0, run: note });
  await clock.advance(250);
  assert.deepEqual(runs, [0, 100, 200]);
});

test("does not drift by the time that a run takes", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({
    name: "x",
    everyMs: 100,
    run: () => {
      note();
      return new Promise((resolve) => clock.after(30, resolve));
    },
  });
  await clock.advance(450);
  assert.deepEqual(runs, [100, 200, 300, 400]);
});

test("never runs a task beside itself; a run longer than the period is followed at once by the next", async () => {
  const { clock, scheduler, runs, note } = setUp();
  let atOnce = 0;
  let most = 0;
  scheduler.every({
    name: "slow",
    everyMs: 100,
    async run() {
      note();
      most = Math.max(most, (atOnce += 1));
      await new Promise<void>((resolve) => clock.after(250, resolve));
      atOnce -= 1;
    },
  });
  await clock.advance(1000);
  assert.deepEqual(runs, [100, 350, 600, 850]);
  assert.equal(most, 1);
});

test("a slow task does not hold up another", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({ name: "hangs", everyMs: 100, run: () => new Promise(() => undefined) });
  scheduler.every({ name: "x", everyMs: 100, run: note });
  await clock.advance(300);
  assert.deepEqual(runs, [100, 200, 300]);
});

for (const [how, fail] of Object.entries({
  throws: () => {
    throw new Error("no");
  },
  rejects: () => Promise.reject(new Error("no")),
})) {
  test(`a task that ${how} is logged and runs again`, async () => {
    const logged: object[] = [];
    const { clock, scheduler, runs, note } = setUp({ ...silentLog, error: (fields) => void logged.push(fields) });
    scheduler.every({
      name: "fails",
      everyMs: 100,
      run: () => {
        note();
        return fail();
      },
    });
    await clock.advance(300);
    assert.deepEqual(runs, [100, 200, 300]);
    assert.equal(logged.length, 3);
    assert.partialDeepStrictEqual(logged[0], { task: "fails" });
  });
}

test("a task for which there is no database is put off without an error, and runs again", async () => {
  const errors: object[] = [];
  const debugged: object[] = [];
  const { clock, scheduler, runs, note } = setUp({
    ...silentLog,
    error: (fields) => void errors.push(fields),
    debug: (fields) => void debugged.push(fields),
  });
  scheduler.every({
    name: "needs the database",
    everyMs: 100,
    async run() {
      note();
      throw new ServiceError("storage_unavailable", "The database cannot be reached.");
    },
  });
  await clock.advance(200);
  assert.deepEqual(runs, [100, 200]);
  assert.deepEqual(debugged, [{ task: "needs the database" }, { task: "needs the database" }]);
  assert.deepEqual(errors, []);
});

test("an ended task does not run again, not even when its time is set", async () => {
  const { clock, scheduler, runs, note } = setUp();
  const end = scheduler.every({ name: "x", everyMs: 100, run: note });
  await clock.advance(150);
  end();
  end();
  await clock.advance(500);
  assert.deepEqual(runs, [100]);
});

test("a task can end itself while it runs", async () => {
  const { clock, scheduler, runs, note } = setUp();
  const end = scheduler.every({
    name: "x",
    everyMs: 100,
    run: () => {
      note();
      end();
    },
  });
  await clock.advance(500);
  assert.deepEqual(runs, [100]);
});

test("one task can be started twice, and each ended alone", async () => {
  const { clock, scheduler, runs, note } = setUp();
  const task = { name: "x", everyMs: 100, run: note };
  const end = scheduler.every(task);
  scheduler.every(task);
  await clock.advance(100);
  end();
  await clock.advance(100);
  assert.deepEqual(runs, [100, 100, 200]);
});

test("stop aborts the running tasks, waits for them, and nothing runs afterwards", async () => {
  const { clock, scheduler, runs, note } = setUp();
  let aborted = false;
  let finish = (): void => undefined;
  scheduler.every({
    name: "long",
    everyMs: 100,
    run: (signal) => {
      signal.addEventListener("abort", () => (aborted = true));
      return new Promise((resolve) => (finish = resolve));
    },
  });
  scheduler.every({ name: "x", everyMs: 100, run: note });
  await clock.advance(100);
  let stopped = false;
  const stopping = scheduler.stop().then(() => (stopped = true));
  await clock.advance(500);
  assert.ok(aborted);
  assert.equal(stopped, false);
  finish();
  await stopping;
  scheduler.every({ name: "late", everyMs: 100, firstAfterMs: 0, run: note });
  await clock.advance(500);
  assert.deepEqual(runs, [100]);
});

test("a jump of the wall clock changes nothing", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({ name: "x", everyMs: 100, run: note });
  await clock.advance(150);
  clock.jump(new Date("2001-01-01T00:00:00Z"));
  await clock.advance(150);
  clock.jump(new Date("2101-01-01T00:00:00Z"));
  await clock.advance(100);
  assert.deepEqual(runs, [100, 200, 300, 400]);
});

test("runs tasks of different beginnings together", async () => {
  const { clock, scheduler, runs, note } = setUp();
  scheduler.every({ name: "one", everyMs: 500, run: note });
  await clock.advance(120);
  scheduler.every({ name: "other", everyMs: 1000, run: note });
  await clock.advance(2000);
  assert.deepEqual(runs, [500, 1000, 1000, 1500, 2000, 2000]);
});

describe("a task that says when it is due", () => {
  function setUpDue(dueInMs: () => number | Promise<number>, log?: Log) {
    const { clock, scheduler, runs, note } = setUp(log);
    const timer = scheduler.whenDue({
      name: "x",
      run: async () => {
        note();
        return dueInMs();
      },
    });
    return { clock, scheduler, runs, timer };
  }

  it("runs now and when it is due, on the common beat", async () => {
    const { clock, runs } = setUpDue(() => 1_200);
    await clock.advance(4_000);
    assert.deepEqual(runs, [0, 1_500, 3_000]);
  });

  it("runs at each beat when it is due at each, though its runs take a moment", async () => {
    const { clock, runs } = setUpDue(async () => {
      await new Promise<void>((resolve) => clock.after(30, resolve));
      return 500;
    });
    await clock.advance(2_000);
    assert.deepEqual(runs, [0, 500, 1_000, 1_500, 2_000]);
  });

  it("runs every half minute when nothing is due", async () => {
    const { clock, runs } = setUpDue(() => Infinity);
    await clock.advance(70_000);
    assert.deepEqual(runs, [0, 30_000, 60_000]);
  });

  it("runs earlier when it is asked to, never later", async () => {
    const { clock, runs, timer } = setUpDue(() => 10_000);
    await clock.advance(1_000);
    timer.within(20_000);
    timer.within(2_000);
    timer.within(5_000);
    await clock.advance(3_000);
    assert.deepEqual(runs, [0, 3_000]);
  });

  it("runs again after a run in which it was asked for, not beside it", async () => {
    let atOnce = 0;
    const { clock, runs, timer } = setUpDue(async () => {
      atOnce += 1;
      assert.equal(atOnce, 1);
      await new Promise<void>((resolve) => clock.after(1_200, resolve));
      atOnce -= 1;
      return Infinity;
    });
    await clock.advance(100);
    timer.within(0);
    await clock.advance(4_000);
    assert.deepEqual(runs, [0, 1_200]);
  });

  it("runs a second after a failure", async () => {
    const errors: object[] = [];
    const { clock, runs } = setUpDue(() => Promise.reject(new Error("no")), { ...silentLog, error: (fields) => void errors.push(fields) });
    await clock.advance(2_400);
    assert.deepEqual(runs, [0, 1_000, 2_000]);
    assert.equal(errors.length, 3);
  });

  it("runs no more once it was ended, or the scheduler stopped", async () => {
    const ended = setUpDue(() => 500);
    ended.timer.end();
    ended.timer.within(0);
    await ended.clock.advance(2_000);
    assert.deepEqual(ended.runs, []);
    const stopped = setUpDue(() => 500);
    await stopped.clock.advance(600);
    await stopped.scheduler.stop();
    await stopped.clock.advance(2_000);
    assert.deepEqual(stopped.runs, [0, 500]);
  });
});
