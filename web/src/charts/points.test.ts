import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { historyOf } from "./history.fixture.ts";
import { extentOf, lonelyIndices, nearestIndex, peakOf, pointsOf } from "./points.ts";

test("steps that a history leaves out become gaps", () => {
  const { times, stepMs, cpu_percent } = pointsOf(
    historyOf({ range: "1h", stepSeconds: 10 }, [10_000, 20_000, 60_000, 70_000], { cpu_percent: [1, 2, 3, 4] }),
  );
  assert.deepEqual(times, [10_000, 20_000, 50_000, 60_000, 70_000]);
  assert.deepEqual(cpu_percent, [1, 2, null, 3, 4]);
  assert.equal(stepMs, 10_000);
});

test("a history without holes is taken as it is", () => {
  const history = historyOf({ range: "1h", stepSeconds: 10 }, [10_000, 20_000], { cpu_percent: [1, null] });
  assert.equal(pointsOf(history).cpu_percent, history.series.cpu_percent);
});

test("the nearest point is found", () => {
  const times = [10, 20, 40];
  const cases: [number, number][] = [
    [-100, 0],
    [10, 0],
    [14, 0],
    [16, 1],
    [29, 1],
    [31, 2],
    [1000, 2],
  ];
  for (const [at, index] of cases) assert.equal(nearestIndex(times, at), index);
  assert.equal(nearestIndex([], 5), undefined);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.integer(), (numbers, at) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const distance = Math.abs((sorted[nearestIndex(sorted, at) ?? -1] ?? Number.NaN) - at);
      assert.equal(distance, Math.min(...sorted.map((each) => Math.abs(each - at))));
    }),
  );
});

test("what is not known has no extent", () => {
  assert.deepEqual(extentOf([null, 3, 1, 2, null]), { latest: 2, lowest: 1, highest: 3 });
  assert.deepEqual(extentOf([null]), { latest: null, lowest: null, highest: null });
  assert.equal(peakOf([null], [1, 5], []), 5);
  assert.equal(peakOf([null]), null);
});

test("values alone between gaps are found", () => {
  assert.deepEqual(lonelyIndices([1, null, 2, 3, null, 4, null, null, 0]), [0, 5, 8]);
  assert.deepEqual(lonelyIndices([]), []);
});
