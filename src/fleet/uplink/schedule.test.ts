import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { nextAttempt } from "./schedule.ts";

const BROKEN = { code: undefined, lastedMs: 0 };

test("waits double from a second to a minute", () => {
  const delays: number[] = [];
  let attempt = 0;
  for (let index = 0; index < 9; index += 1) {
    const next = nextAttempt(BROKEN, attempt, 0.5);
    assert.ok(next.again);
    delays.push(next.delayMs);
    attempt = next.attempt;
  }
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test("jitter is a quarter either way, whatever the attempt", () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
      const next = nextAttempt(BROKEN, attempt, random);
      const plain = Math.min(60_000, 1000 * 2 ** attempt);
      assert.ok(next.again && next.delayMs >= plain * 0.75 && next.delayMs <= plain * 1.25);
    }),
  );
});

test("a stream that lasted longer than 30 seconds begins the schedule again, a shorter one does not", () => {
  assert.deepEqual(nextAttempt({ code: undefined, lastedMs: 30_001 }, 5, 0.5), {
    again: true,
    delayMs: 1000,
    attempt: 1,
    untilReopened: true,
  });
  assert.deepEqual(nextAttempt({ code: undefined, lastedMs: 30_000 }, 5, 0.5), {
    again: true,
    delayMs: 32_000,
    attempt: 6,
    untilReopened: true,
  });
});

test("a revoked agent never tries again", () => {
  assert.deepEqual(nextAttempt({ code: "agent_revoked", lastedMs: 0 }, 0, 0.5), { again: false });
  assert.deepEqual(nextAttempt({ code: "agent_revoked", lastedMs: 90_000 }, 7, 0.5), { again: false });
});

for (const code of ["edition_required", "agent_unknown", "protocol_unsupported"])
  test(`${code} is tried again every ten minutes, whatever the port does`, () => {
    assert.deepEqual(nextAttempt({ code, lastedMs: 0 }, 3, 0.5), { again: true, delayMs: 600_000, attempt: 0, untilReopened: false });
  });

for (const code of ["clock_skew", "bad_signature", "handshake_timeout", "stream_replaced", "storage_unavailable"])
  test(`${code} follows the schedule`, () => {
    assert.deepEqual(nextAttempt({ code, lastedMs: 0 }, 2, 0.5), { again: true, delayMs: 4000, attempt: 3, untilReopened: true });
  });
