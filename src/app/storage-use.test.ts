import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../contract/time.ts";
import { SQLITE } from "../storage/capabilities.ts";
import type { KindOfBytes } from "../storage/series/index.ts";
import { storageUse } from "./meta/answers.ts";
import { storageUseOf } from "./storage-use.ts";

const AT = new Date("2026-03-01T00:00:00.000Z");

function kind(name: KindOfBytes["kind"], facts: Partial<KindOfBytes>): KindOfBytes {
  return { kind: name, bytes: 0, bytesPerDay: 0, oldest: null, keptMs: null, ...facts };
}

const use = (kinds: KindOfBytes[], limitBytes?: number) =>
  storageUseOf({
    database: { capabilities: SQLITE },
    budget: { use: async () => ({ kinds, isEstimated: false }) },
    limitBytes,
    backups: () => null,
  });

const GROWING = [
  kind("journal", { bytes: 10 }),
  kind("detail", { bytes: 100, bytesPerDay: 100, keptMs: 2 * DAY_MS, oldest: new Date(AT.getTime() + 1) }),
  kind("minutes", { bytes: 50, bytesPerDay: 50, keptMs: 30 * DAY_MS, oldest: AT }),
  kind("other", { bytes: 1000, bytesPerDay: null }),
];

test("what is there is summed up, with what a day brings and what it will be", async () => {
  const usage = await use(GROWING);
  assert.deepEqual(storageUse.parse(usage), usage);
  assert.equal(usage.bytes, 1160);
  assert.equal(usage.growth_bytes_per_day, 150);
  assert.deepEqual(usage.forecast, { bytes: 10 + 200 + 1500 + 1000, days_until_limit: null });
  assert.equal(usage.oldest, AT.toISOString());
});

test("the limit is reached while some of it still grows", async () => {
  // A day of both, 150, then minutes alone: 50 a day.
  assert.equal((await use(GROWING, 1160 + 75)).forecast.days_until_limit, 0.5);
  assert.equal((await use(GROWING, 1160 + 150 + 100)).forecast.days_until_limit, 3);
  assert.equal((await use(GROWING, 1160)).forecast.days_until_limit, 0);
});

test("a limit that everything stays below is never reached", async () => {
  assert.equal((await use(GROWING, 5000)).forecast.days_until_limit, null);
  assert.equal((await use([kind("other", { bytes: 10, bytesPerDay: null })], 100)).forecast.days_until_limit, null);
});

test("before anything was compressed there is no growth and no forecast", async () => {
  const usage = await use(
    [kind("detail", { bytesPerDay: null, keptMs: 2 * DAY_MS }), kind("other", { bytes: 10, bytesPerDay: null })],
    100,
  );
  assert.equal(usage.growth_bytes_per_day, null);
  assert.deepEqual(usage.forecast, { bytes: null, days_until_limit: null });
});
