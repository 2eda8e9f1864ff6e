import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createAlarms } from "./scheduler.ts";

/** Alarms on a clock whose timers are counted as they fire. */
function setUp() {
  const clock = createFakeClock();
  let wakeUps = 0;
  const alarms = createAlarms({
    ...clock,
    after: (delayMs, callback) =>
      clock.after(delayMs, () => {
        wakeUps += 1;
        callback();
      }),
  });
  const rung: string[] = [];
  const at = (atMs: number, name: string) => alarms.at(atMs, () => void rung.push(`${name} ${clock.monotonicMs()}`));
  return { clock, alarms, at, rung, wakeUps: () => wakeUps };
}

test("what is due together wakes the process once, in the order of the moments", async () => {
  const { clock, at, rung, wakeUps } = setUp();
  at(500.6, "third");
  at(500, "first");
  at(500, "second");
  at(1_000, "last");
  await clock.advance(2_000);
  assert.deepEqual(rung, ["first 500", "second 500", "third 500", "last 1000"]);
  assert.equal(wakeUps(), 2);
});

test("one that is due before the others is not late, nor are the others", async () => {
  const { clock, at, rung } = setUp();
  at(900, "late");
  at(100, "soon");
  at(0, "now");
  await clock.advance(1_000);
  assert.deepEqual(rung, ["now 0", "soon 100", "late 900"]);
});

test("rings at once what became due while the program stood still", async () => {
  const { clock, at, rung, wakeUps } = setUp();
  at(100, "one");
  at(300, "other");
  clock.stall(1_000);
  await clock.advance(0);
  assert.deepEqual(rung, ["one 1000", "other 1000"]);
  assert.equal(wakeUps(), 1);
});

test("leaves others their turn after one that took long, and continues at once", async () => {
  const { clock, alarms, at, rung, wakeUps } = setUp();
  alarms.at(100, () => clock.stall(20));
  at(100, "next");
  await clock.advance(200);
  assert.deepEqual(rung, ["next 120"]);
  assert.equal(wakeUps(), 2);
});

test("a cancelled one does not ring, not even when one that rings with it cancels it", async () => {
  const { clock, alarms, at, rung, wakeUps } = setUp();
  at(100, "cancelled").cancel();
  await clock.advance(200);
  assert.equal(wakeUps(), 0);
  alarms.at(300, () => other.cancel());
  const other = at(300, "other");
  await clock.advance(200);
  assert.deepEqual(rung, []);
});

test("one that is set while others ring comes in its time", async () => {
  const { clock, alarms, at, rung } = setUp();
  alarms.at(100, () => void at(150, "next"));
  at(400, "last");
  await clock.advance(500);
  assert.deepEqual(rung, ["next 150", "last 400"]);
});
