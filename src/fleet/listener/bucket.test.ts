import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createBucket } from "./batches.ts";

test("a second's worth at once, then as it refills", () => {
  const bucket = createBucket(1000, 5000);
  assert.equal(bucket.take(1000, 5000), 0);
  assert.equal(bucket.take(100, 5000), 100);
  assert.equal(bucket.take(100, 5099), 1);
  assert.equal(bucket.take(100, 5100), 0);
  assert.equal(bucket.take(1, 5100), 1);
  assert.equal(bucket.take(1000, 60_000), 0);
  assert.equal(bucket.take(1, 60_000), 1);
});

test("a batch larger than the bucket passes when it is full, and its debt is waited for", () => {
  const bucket = createBucket(10, 0);
  assert.equal(bucket.take(1000, 0), 0);
  assert.equal(bucket.take(1, 0), 99_100);
  assert.equal(bucket.take(1, 99_100), 0);
});

test("a batch that waits for the given time is let through, and over time never more than the rate", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5000 }), (batches, rate) => {
      const bucket = createBucket(rate, 0);
      let nowMs = 0;
      let taken = 0;
      for (const size of batches) {
        const waitMs = bucket.take(size, nowMs);
        nowMs += waitMs;
        if (waitMs > 0) assert.equal(bucket.take(size, nowMs), 0);
        // What came before this batch was paid for, up to the second's worth of the beginning.
        assert.ok(taken + Math.min(size, rate) <= rate * (1 + nowMs / 1000) + 1e-6);
        taken += size;
      }
    }),
    { examples: [[[457, 871, 498, 446, 927, 297, 396, 1], 2800]] },
  );
});
