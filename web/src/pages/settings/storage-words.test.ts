import assert from "node:assert/strict";
import { test } from "node:test";
import { backupWords, forecastWords, growthWords, retentionWords } from "./storage-words.ts";

const GIB = 2 ** 30;
const DAY = 86_400;

test("how long something is kept, in the unit one thinks in", () => {
  assert.equal(retentionWords(2 * DAY), "48 h");
  assert.equal(retentionWords(3600), "1 h");
  assert.equal(retentionWords(30 * DAY), "30 days");
  assert.equal(retentionWords(400 * DAY), "400 days");
});

test("growth, once it is known", () => {
  assert.equal(growthWords({ growth_bytes_per_day: null }), "Available after 24 h");
  assert.equal(growthWords({ growth_bytes_per_day: 0 }), "Stable");
  assert.equal(growthWords({ growth_bytes_per_day: 11.3 * 2 ** 20 }), "About 11.3 MiB a day");
});

test("a forecast has the size, and the limit where there is one", () => {
  const words = (bytes: number | null, days: number | null, limit: number | null): string =>
    forecastWords({ forecast: { bytes, days_until_limit: days }, limit_bytes: limit });
  const grown = "About 1.20 GiB once all data reaches its retention period.";
  assert.equal(words(null, null, null), "Available after 24 h");
  assert.equal(words(1.2 * GIB, null, null), grown);
  assert.equal(words(1.2 * GIB, null, 2 * GIB), `${grown} The limit will not be reached soon.`);
  assert.equal(
    words(1.2 * GIB, 31.4, GIB),
    `${grown} The limit is reached in about 31 days. Then the least important data is deleted first, oldest first.`,
  );
  assert.equal(
    words(1.2 * GIB, 1, GIB),
    `${grown} The limit is reached in about 1 day. Then the least important data is deleted first, oldest first.`,
  );
  assert.equal(
    words(1.2 * GIB, 0.2, GIB),
    `${grown} The limit is reached today. Then the least important data is deleted first, oldest first.`,
  );
  assert.equal(
    words(1.2 * GIB, 1500, GIB),
    `${grown} The limit is reached in about 4 years. Then the least important data is deleted first, oldest first.`,
  );
});

test("how often backups are taken, and how many are kept", () => {
  const words = (interval_seconds: number, keep: number): string =>
    backupWords({ interval_seconds, keep, folder: "/b", last: null, error: null });
  assert.equal(words(DAY, 7), "Every 24 h into /b, of which 7 backups are kept");
  assert.equal(words(7 * DAY, 1), "Every 7 days into /b, of which 1 backup is kept");
  assert.equal(words(600, 2), "Every 10 minutes into /b, of which 2 backups are kept");
});
