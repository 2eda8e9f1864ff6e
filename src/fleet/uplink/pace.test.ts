import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createPace, FIRST_WINDOW_BYTES, nextWindow } from "./pace.ts";

/** What a replay sends in so many seconds that takes all it is allowed, while so many live events pass. */
function replayed(perSecond: number, seconds: number, livePerSecond = 0): number {
  const pace = createPace(perSecond, 0);
  let sent = 0;
  for (let ms = 0; ms < seconds * 1000; ms += 10) {
    pace.spend(livePerSecond / 100, ms);
    const allowed = Math.min(pace.allowance(ms), 1000);
    sent += allowed;
    pace.spend(allowed, ms);
  }
  return sent;
}

test("a replay stays just below the rate, with live events below it together", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 20_000 }), fc.double({ min: 0, max: 0.9, noNaN: true }), (rate, share) => {
      const seconds = 10;
      const total = replayed(rate, seconds, rate * share) / seconds + rate * share;
      assert.ok(total <= rate && total >= rate * 0.9, `${total} of ${rate}`);
    }),
  );
});

test("without a limit it is not the pace that holds it up", () => {
  assert.ok(replayed(0, 1) >= 99_000);
});

test("more live events than the rate allows leave nothing to a replay, and it recovers afterwards", () => {
  assert.equal(replayed(1000, 5, 1500), 0);
  const pace = createPace(1000, 0);
  pace.spend(100_000, 0);
  assert.ok(pace.waitMs(0) <= 1500, `${pace.waitMs(0)} ms`);
});

test("after the wait there is an allowance, and not before", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000 }), fc.nat(5000), fc.nat(3000), (rate, spent, retryMs) => {
      const pace = createPace(rate, 0);
      pace.spend(spent, 0);
      pace.slowDown(retryMs, 0);
      const waitMs = pace.waitMs(0);
      assert.equal(pace.allowance(Math.max(0, retryMs - 1)), retryMs === 0 ? pace.allowance(0) : 0);
      assert.ok(waitMs >= retryMs);
      assert.ok(pace.allowance(waitMs + 5) > 0);
    }),
  );
});

test("being asked to go slower has an effect for a while, and never stops it", () => {
  const pace = createPace(1000, 0);
  for (let index = 0; index < 50; index += 1) pace.slowDown(0, 0);
  assert.ok(pace.waitMs(0) < 1000);
});

test("the window follows how long acknowledgements take, between its bounds", () => {
  let bytes = FIRST_WINDOW_BYTES;
  for (let index = 0; index < 50; index += 1) bytes = nextWindow(bytes, 20);
  assert.equal(bytes, 4 * 1024 * 1024);
  assert.equal(nextWindow(bytes, 300), bytes);
  assert.equal(nextWindow(bytes, 501), bytes / 2);
  for (let index = 0; index < 50; index += 1) bytes = nextWindow(bytes, 5000);
  assert.equal(bytes, 256 * 1024);
});
