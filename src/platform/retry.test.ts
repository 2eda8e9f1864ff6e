import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { createBackoff } from "./retry.ts";

test("doubles up to the ceiling and begins again after a success", () => {
  const backoff = createBackoff({ firstMs: 100, ceilingMs: 1000, random: () => 0.5 });
  const waits = Array.from({ length: 6 }, () => backoff.nextMs());
  assert.deepEqual(waits, [100, 200, 400, 800, 1000, 1000]);
  backoff.reset();
  assert.equal(backoff.nextMs(), 100);
});

test("stays within a quarter of the plain schedule, however often it is asked", () => {
  const durations = fc.integer({ min: 1, max: 3_600_000 });
  fc.assert(
    fc.property(durations, durations, fc.integer({ min: 0, max: 2000 }), (firstMs, ceilingMs, attempts) => {
      const backoff = createBackoff({ firstMs, ceilingMs });
      for (let attempt = 0; attempt <= attempts; attempt += 1) {
        const plain = Math.min(ceilingMs, firstMs * 2 ** attempt);
        const wait = backoff.nextMs();
        assert.ok(wait >= Math.floor(plain * 0.75) && wait <= Math.ceil(plain * 1.25), `attempt ${attempt}: ${wait} of ${plain}`);
      }
    }),
    { numRuns: 50 },
  );
});

test("two that fail together do not come back together", () => {
  const waits = new Set(Array.from({ length: 20 }, () => createBackoff({ firstMs: 100_000, ceilingMs: 1_000_000 }).nextMs()));
  assert.ok(waits.size > 10);
});
