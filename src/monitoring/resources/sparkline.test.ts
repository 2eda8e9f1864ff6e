import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Reading, readings } from "../../../test/support/readings.ts";
import { fc } from "../../../test/support/seed.ts";
import { createSparklines, POINT_MS, pointAt, POINTS, type Sparklines } from "./sparkline.ts";
import { readTick, type Tick } from "./snapshot.ts";

/** A moment in point 1000. */
const START_MS = 1000 * POINT_MS;
const seconds = (count: number): number => START_MS + count * 1000;

function tick(atMs: number, byId: Record<number, Reading>): Tick {
  return readTick(readings(byId), atMs, Object.keys(byId).map(Number));
}

const cpu = (sparklines: Sparklines, id: number, atMs: number): (number | null)[] => sparklines.of(id, pointAt(atMs)).cpuPercent;
const nothing = (count: number): null[] => Array.from({ length: count }, () => null);

describe("sparklines", () => {
  it("are means of two minutes, thirty of them, the last one under way", () => {
    const sparklines = createSparklines();
    for (let second = 0; second < 240; second += 10)
      sparklines.add(tick(seconds(second), { 1: { cpuPercent: second < 120 ? second / 10 : 50, memoryBytes: 25, memoryLimitBytes: 100 } }));
    sparklines.add(tick(seconds(240), { 1: { cpuPercent: 7, memoryBytes: 50, memoryLimitBytes: 100 } }));
    assert.deepEqual(sparklines.of(1, pointAt(seconds(240))), {
      cpuPercent: [...nothing(27), 5.5, 50, 7],
      memoryPercent: [...nothing(27), 25, 25, 50],
    });
    assert.equal(POINTS, 30);
  });

  it("have nothing where nothing was measured, and of containers that are not known", () => {
    const sparklines = createSparklines();
    sparklines.add(tick(seconds(0), { 1: { cpuPercent: 1 } }));
    sparklines.add(tick(seconds(600), { 1: { cpuPercent: 3 } }));
    assert.deepEqual(cpu(sparklines, 1, seconds(600)).slice(-6), [1, null, null, null, null, 3]);
    assert.deepEqual(sparklines.of(1, pointAt(seconds(600))).memoryPercent, nothing(30));
    assert.deepEqual(cpu(sparklines, 2, seconds(600)), nothing(30));
  });

  it("move on without samples, and forget what is an hour old", () => {
    const sparklines = createSparklines();
    sparklines.add(tick(seconds(0), { 1: { cpuPercent: 1 } }));
    assert.deepEqual(cpu(sparklines, 1, seconds(29 * 120)), [1, ...nothing(29)]);
    assert.deepEqual(cpu(sparklines, 1, seconds(30 * 120)), nothing(30));
    sparklines.add(tick(seconds(30 * 120), { 1: { cpuPercent: 9 } }));
    assert.deepEqual(cpu(sparklines, 1, seconds(30 * 120)), [...nothing(29), 9]);
    sparklines.add(tick(seconds(500 * 120), { 1: { cpuPercent: 8 } }));
    assert.deepEqual(cpu(sparklines, 1, seconds(500 * 120)), [...nothing(29), 8]);
  });

  it("start over when the clock was set back by more than an hour", () => {
    const sparklines = createSparklines();
    sparklines.add(tick(seconds(7200), { 1: { cpuPercent: 1 } }));
    sparklines.add(tick(seconds(0), { 1: { cpuPercent: 2 } }));
    assert.deepEqual(cpu(sparklines, 1, seconds(0)), [...nothing(29), 2]);
  });

  it("are filled from the past without overwriting what was seen since", () => {
    const sparklines = createSparklines();
    sparklines.add(tick(seconds(0), { 1: { cpuPercent: 40 } }));
    const past = (value: number) => Float64Array.from({ length: POINTS }, (_, index) => (index === 3 ? Number.NaN : value));
    for (const id of [1, 2]) {
      sparklines.fill(id, { firstPoint: 1000 - POINTS + 1, cpu: past(10), memory: past(20), count: (point) => (point === 1000 ? 3 : 12) });
    }
    assert.deepEqual(cpu(sparklines, 1, seconds(0)), [10, 10, 10, null, ...Array.from({ length: 25 }, () => 10), 40]);
    assert.equal(sparklines.of(1, 1000).memoryPercent.at(-1), 20);
    sparklines.add(tick(seconds(30), { 2: { cpuPercent: 50 } }));
    assert.equal(cpu(sparklines, 2, seconds(30)).at(-1), 20, "three samples of 10 and one of 50");
  });

  it("keep only who is wanted, and give the place of the others away clean", () => {
    const sparklines = createSparklines();
    for (let id = 1; id <= 500; id += 1) sparklines.add(tick(seconds(0), { [id]: { cpuPercent: id % 100 } }));
    sparklines.keep((id) => id > 400);
    assert.deepEqual([...sparklines.ids()].length, 100);
    sparklines.add(tick(seconds(240), { 900: { cpuPercent: 5 } }));
    assert.deepEqual(cpu(sparklines, 900, seconds(240)), [...nothing(29), 5]);
    assert.equal(cpu(sparklines, 450, seconds(240)).at(-3), 50);
  });

  it("say the same as all samples kept in a list", () => {
    const step = fc.record({ passedTicks: fc.constantFrom(1, 1, 1, 2, 5, 40, 400), value: fc.option(fc.integer({ min: 0, max: 100 })) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const sparklines = createSparklines();
        const samples: { atMs: number; value: number }[] = [];
        let atMs = START_MS;
        for (const { passedTicks, value } of steps) {
          atMs += passedTicks * 10_000;
          sparklines.add(tick(atMs, { 1: value === null ? {} : { cpuPercent: value } }));
          if (value !== null) samples.push({ atMs, value });
        }
        const wanted = Array.from({ length: POINTS }, (_, index) => {
          const inside = samples.filter((sample) => pointAt(sample.atMs) === pointAt(atMs) - POINTS + 1 + index);
          return inside.length === 0 ? null : inside.reduce((sum, { value }) => sum + value, 0) / inside.length;
        });
        const got = cpu(sparklines, 1, atMs);
        for (const [index, value] of wanted.entries()) {
          if (value === null) assert.equal(got[index], null);
          else assert.ok(Math.abs((got[index] ?? Infinity) - value) < 0.01, `${got[index]} is not ${value}`);
        }
      }),
    );
  });
});
