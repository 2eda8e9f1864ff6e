import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { silentLog } from "../platform/log.ts";
import { createLifecycle } from "./lifecycle.ts";

function setUp({ stopWithinMs = 1000 } = {}) {
  const steps: string[] = [];
  const clock = createFakeClock();
  const lifecycle = createLifecycle({ clock, log: silentLog, stopWithinMs });
  function add(
    name: string,
    { start = () => {}, stop = () => {} }: { start?: () => Promise<void> | void; stop?: () => Promise<void> | void } = {},
  ): void {
    lifecycle.add(name, {
      start: () => (steps.push(`${name} starts`), start()),
      stop: () => (steps.push(`${name} stops`), stop()),
    });
  }
  return { steps, clock, lifecycle, add };
}

function never(): Promise<void> {
  return new Promise(() => {});
}

test("parts start in order and stop in reverse", async () => {
  const { steps, lifecycle, add } = setUp();
  add("database");
  lifecycle.add("without ends", {});
  add("server", { start: () => Promise.resolve() });
  await lifecycle.start();
  assert.deepEqual(await lifecycle.stop(), []);
  assert.deepEqual(steps, ["database starts", "server starts", "server stops", "database stops"]);
});

test("a failed start stops what had started, and only that, and throws its error", async () => {
  const { steps, lifecycle, add } = setUp();
  add("database");
  add("server", {
    start() {
      throw new Error("port taken");
    },
  });
  add("worker");
  await assert.rejects(lifecycle.start(), /port taken/);
  assert.deepEqual(steps, ["database starts", "server starts", "database stops"]);
});

test("a part that is always stopped ends without a start too, within the same time", async () => {
  const { steps, clock, lifecycle, add } = setUp({ stopWithinMs: 1000 });
  lifecycle.add("database", { stop: never }, { isAlwaysStopped: true });
  add("server");
  lifecycle.add("standby", { stop: () => Promise.resolve() }, { isAlwaysStopped: true });
  const stopped = lifecycle.stop();
  await clock.advance(1000);
  assert.deepEqual(await stopped, ["database"]);
  assert.deepEqual(steps, []);
});

test("a part that fails to stop is named and keeps no other from stopping", async () => {
  const { steps, lifecycle, add } = setUp();
  add("database");
  add("worker", { stop: () => Promise.reject(new Error("no")) });
  await lifecycle.start();
  assert.deepEqual(await lifecycle.stop(), ["worker"]);
  assert.equal(steps.at(-1), "database stops");
});

test("a part that never stops is given up on in time, and the rest get their share", async () => {
  const { steps, clock, lifecycle, add } = setUp({ stopWithinMs: 1000 });
  add("database", { stop: never });
  add("worker", { stop: never });
  await lifecycle.start();
  const stopped = lifecycle.stop();
  await clock.advance(999);
  assert.ok(!steps.includes("database stops"));
  await clock.advance(1);
  assert.ok(steps.includes("database stops"));
  await clock.advance(100);
  assert.deepEqual(await stopped, ["worker", "database"]);
});

test("stopping twice stops once", async () => {
  const { steps, lifecycle, add } = setUp();
  add("database");
  await lifecycle.start();
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  await lifecycle.stop();
  assert.deepEqual(steps, ["database starts", "database stops"]);
});

test("a stop during the start waits for the part that is starting, stops it, and starts no other", async () => {
  const { steps, lifecycle, add } = setUp();
  const opening = Promise.withResolvers<void>();
  add("database", { start: () => opening.promise });
  add("server");
  const started = lifecycle.start();
  const stopped = lifecycle.stop();
  opening.resolve();
  await started;
  assert.deepEqual(await stopped, []);
  assert.deepEqual(steps, ["database starts", "database stops"]);
});
