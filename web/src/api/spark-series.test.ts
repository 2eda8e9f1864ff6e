import assert from "node:assert/strict";
import { test } from "node:test";
import { snapshotEvent } from "./snapshot.fixture.ts";
import { extendSparkSeries, sparkSeries, type SparkSeries } from "./spark-series.ts";

const STARTED = Date.parse("2026-11-21T04:04:00.000Z");
const at = (seconds: number): string => new Date(STARTED + seconds * 1000).toISOString();

/** Three steps of two minutes, the last of which begins at {@link STARTED}. */
function answer(cpu: (number | null)[], memory: (number | null)[] = [null, null, null]): SparkSeries {
  return sparkSeries({
    step_seconds: 120,
    timestamps: [at(-240), at(-120), at(0)],
    containers: [{ container_id: 1, cpu_percent: cpu, memory_percent: memory }],
  });
}

const reading = (seconds: number, cpu: number | null, id = 1) =>
  snapshotEvent([{ container_id: id, cpu_percent: cpu }], { timestamp: at(seconds) });
const cpuOf = (series: SparkSeries, id = 1) => series.lines.get(id)?.cpu;

test("the step under way is the mean of its readings", () => {
  let series = answer([10, 20, null]);
  const readings = [30, 60, 90, 20];
  for (const [tick, cpu] of readings.entries()) series = extendSparkSeries(series, [reading(tick * 10, cpu)]);
  assert.deepEqual(cpuOf(series), [10, 20, 50]);
});

test("several readings at once make the same of it", () => {
  const events = [30, 60, 90].map((cpu, tick) => reading(tick * 10, cpu));
  assert.deepEqual(cpuOf(extendSparkSeries(answer([1, 2, null]), events)), [1, 2, 60]);
});

test("a step that the answer brought half-done continues", () => {
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 40]), [reading(30, 80)])), [10, 20, 50]);
});

test("a new step shifts all lines, steps without a reading are gaps", () => {
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(120, 70)])), [20, 30, 70]);
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(250, 70)])), [30, null, 70]);
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(130, 70, 2)])), [20, 30, null]);
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(9000, 70)])), [null, null, 70]);
});

test("a reading from before the step under way changes nothing", () => {
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(-10, 70)])), [10, 20, 30]);
});

test("a container that is new has a line from now on", () => {
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(10, 5, 2)]), 2), [null, null, 5]);
});

test("a line that would be drawn as before stays the same object, and its mean continues exactly", () => {
  const series = answer([10, 20, 50], [1, 1, 1]);
  const once = extendSparkSeries(series, [
    snapshotEvent([{ container_id: 1, cpu_percent: 50.2, memory_percent: 1.01 }], { timestamp: at(10) }),
  ]);
  assert.equal(once.lines.get(1), series.lines.get(1));
  let many = once;
  for (let tick = 2; tick < 12; tick += 1) many = extendSparkSeries(many, [reading(tick * 10, 52)]);
  assert.deepEqual(cpuOf(many), [10, 20, 52]);
  assert.ok(Math.abs((many.means.get(1)?.cpu ?? 0) - (50 + 50.2 + 10 * 52) / 12) < 0.001);
});

test("what cannot be read does not weigh", () => {
  assert.deepEqual(cpuOf(extendSparkSeries(answer([10, 20, 30]), [reading(10, null)])), [10, 20, 30]);
});
