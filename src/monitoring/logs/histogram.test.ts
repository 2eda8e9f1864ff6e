import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countedUntil, createHistogram } from "./histogram.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const NONE = { error: 0, warn: 0, info: 0, debug: 0, none: 0 };

describe("the histogram", () => {
  it("counts levels in short buckets of a short time", () => {
    const histogram = createHistogram();
    histogram.add(NOON + 100, "error");
    histogram.add(NOON + 900, "error");
    histogram.add(NOON + 2_500, null);
    assert.deepEqual(histogram.read(), {
      bucketMs: 1_000,
      buckets: [
        { fromMs: NOON, lines: { ...NONE, error: 2 } },
        { fromMs: NOON + 2_000, lines: { ...NONE, none: 1 } },
      ],
    });
  });

  it("joins buckets as the time grows, in either direction, and loses no line", () => {
    const histogram = createHistogram();
    for (let minute = 0; minute < 24 * 60; minute += 1) histogram.add(NOON - minute * 60_000, minute % 2 === 0 ? "warn" : "info");
    const { bucketMs, buckets } = histogram.read();
    assert.ok(buckets.length <= 121 && bucketMs === 30 * 60_000, `${buckets.length} of ${bucketMs}`);
    assert.equal(
      buckets.reduce((sum, { lines }) => sum + lines.warn + lines.info, 0),
      24 * 60,
    );
    assert.deepEqual(
      buckets.map(({ fromMs }) => fromMs),
      buckets.map(({ fromMs }) => fromMs).toSorted((one, other) => one - other),
    );
  });

  it("leaves out what lies wholly beyond the moment up to which lines were counted", () => {
    const counted = {
      bucketMs: 1_000,
      buckets: [0, 1_000, 2_000, 3_000].map((ms) => ({ fromMs: NOON + ms, lines: { ...NONE, none: 1 } })),
    };
    const left = (order: "newest" | "oldest", endedAtMs: number | undefined): number[] =>
      countedUntil(counted, order, endedAtMs).buckets.map(({ fromMs }) => fromMs - NOON);
    assert.deepEqual(left("newest", undefined), [0, 1_000, 2_000, 3_000]);
    assert.deepEqual(
      [left("newest", NOON + 1_999), left("newest", NOON + 2_000)],
      [
        [1_000, 2_000, 3_000],
        [2_000, 3_000],
      ],
    );
    assert.deepEqual(
      [left("oldest", NOON + 2_000), left("oldest", NOON + 2_001)],
      [
        [0, 1_000],
        [0, 1_000, 2_000],
      ],
    );
  });

  it("covers all times that there are", () => {
    const histogram = createHistogram();
    for (const atMs of [-8.64e15, 0, NOON, 8.64e15]) histogram.add(atMs, "debug");
    assert.ok(histogram.read().buckets.length <= 4);
  });
});
