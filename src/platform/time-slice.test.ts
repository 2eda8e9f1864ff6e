import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurnWhenDue } from "./time-slice.ts";

function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test("work goes on within its slice, and then lets the event loop turn, together with other work", async () => {
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
