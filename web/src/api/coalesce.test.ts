import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { coalesce } from "./coalesce.ts";

function setUp(context: TestContext) {
  let nowMs = 0;
  let runs = 0;
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.mock.method(performance, "now", () => nowMs);
  const pending = coalesce(() => (runs += 1), { quietMs: 250, longestMs: 1000 });
  function pass(ms: number): void {
    nowMs += ms;
    context.mock.timers.tick(ms);
  }
  return { pending, pass, runs: () => runs };
}

test("many calls run once, after the last of them", (context) => {
  const { pending, pass, runs } = setUp(context);
  pending.call();
  pass(200);
  pending.call();
  pass(249);
  assert.equal(runs(), 0);
  pass(1);
  assert.equal(runs(), 1);
  pass(5000);
  assert.equal(runs(), 1);
});

test("calls that never cease run it all the same", (context) => {
  const { pending, pass, runs } = setUp(context);
  for (let step = 0; step < 30; step += 1) {
    pending.call();
    pass(100);
  }
  assert.equal(runs(), 3);
});

test("cancelled, it does not run", (context) => {
  const { pending, pass, runs } = setUp(context);
  pending.call();
  pending.cancel();
  pass(2000);
  assert.equal(runs(), 0);
});
