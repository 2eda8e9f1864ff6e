import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mock, test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { pause, systemClock, nextTurnWhenDue } from "./clock.ts";

test("a pause ends after its time", async () => {
  const clock = createFakeClock();
  let ended = false;
  void pause(clock, 100).then(() => (ended = true));
  await clock.advance(99);
  assert.equal(ended, false);
  await clock.advance(1);
  assert.equal(ended, true);
});

test("a pause ends at once when its signal is aborted, before or meanwhile", async () => {
  const clock = createFakeClock();
  const controller = new AbortController();
  const waiting = pause(clock, 1e9, controller.signal);
  controller.abort();
  await waiting;
  await pause(clock, 1e9, controller.signal);
});

test("thousands of pauses leave nothing on a signal that lives on", async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  for (let count = 0; count < 3000; count += 1) {
    const waiting = pause(clock, 0, signal);
    assert.equal(getEventListeners(signal, "abort").length, 1);
    if (count % 1000 === 0) await clock.advance(1);
    else void clock.advance(0);
    await waiting;
  }
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a thousand pauses at once warn of nothing and end with their signal", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const controller = new AbortController();
  const all = Array.from({ length: 1000 }, () => pause(systemClock, 1e9, controller.signal));
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await Promise.all(all);
  process.off("warning", onWarning);
  assert.deepEqual(warnings, []);
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
});

test("the system clock's timers fire once, can be cancelled, and take a delay in the past as now", async () => {
  let fired = 0;
  systemClock.after(0, () => (fired += 100)).cancel();
  await new Promise<void>((resolve) => {
    systemClock.after(-5, () => {
      fired += 1;
      resolve();
    });
    // Timers of the clock do not keep the process alive; this one does.
    setTimeout(() => undefined, 1000).unref();
    setImmediate(() => setTimeout(resolve, 50));
  });
  assert.equal(fired, 1);
});

test("the system clock waits longer than a Node timer can hold", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const DAY_MS = 24 * 3_600_000;
    let fired = 0;
    systemClock.after(60 * DAY_MS, () => (fired += 1));
    const cancelled = systemClock.after(60 * DAY_MS, () => (fired += 100));
    for (let day = 0; day < 59; day += 1) mock.timers.tick(DAY_MS);
    assert.equal(fired, 0);
    cancelled.cancel();
    for (let day = 0; day < 60; day += 1) mock.timers.tick(DAY_MS);
    assert.equal(fired, 1);
  } finally {
    mock.timers.reset();
  }
});

test("the system clock shows the time, and its durations only rise", () => {
  const before = systemClock.monotonicMs();
  assert.ok(systemClock.monotonicMs() >= before);
  const beforeMs = Date.now();
  const nowMs = systemClock.now().getTime();
  assert.ok(nowMs >= beforeMs && nowMs <= Date.now());
});

function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test("work continues within its slice, and then lets the event loop turn, together with other work", async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  await nextTurnWhenDue();
  assert.equal(nextTurnWhenDue(), undefined);
  work(20);
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  const turn = nextTurnWhenDue();
  assert.notEqual(turn, undefined);
  assert.equal(nextTurnWhenDue(), turn);
  await turn;
  assert.equal(hasTurned, true);
  assert.equal(nextTurnWhenDue(), undefined);
});
