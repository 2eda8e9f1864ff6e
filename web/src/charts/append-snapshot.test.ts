import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { History } from "../../../src/monitoring/resources/answers.ts";
import { fc } from "../../../test/support/seed.ts";
import { appendSnapshot } from "./append-snapshot.ts";
import { historyOf, snapshotAt } from "./history.fixture.ts";

const START = Date.parse("2026-11-21T04:00:00.000Z");
const HOUR = { range: "1h", stepSeconds: 10 } as const;
const SIX_HOURS = { range: "6h", stepSeconds: 30 } as const;

/** Seconds after the start, by which a test names its steps. */
function seconds({ series }: History): number[] {
  return series.timestamps.map((timestamp) => (Date.parse(timestamp) - START) / 1000);
}

describe("a step of one reading", () => {
  test("each reading is a new point", () => {
    const before = historyOf(HOUR, [START], { cpu_percent: [5], cpu_percent_max: [5] });
    const after = appendSnapshot(before, snapshotAt(START + 10_000, { cpu_percent: 7, memory_bytes: 100, memory_limit_bytes: 400 }));
    assert.deepEqual(seconds(after), [0, 10]);
    assert.deepEqual(after.series.cpu_percent, [5, 7]);
    assert.deepEqual(after.series.cpu_percent_max, [5, 7]);
    assert.deepEqual(after.series.memory_bytes, [null, 100]);
    assert.deepEqual(after.series.memory_limit_bytes, [null, 400]);
    assert.deepEqual(before.series.cpu_percent, [5], "what was handed over stays as it was");
  });

  test("what the answer already holds stays, and what it only made room for is filled", () => {
    const full = historyOf(HOUR, [START], { cpu_percent: [5] });
    assert.deepEqual(appendSnapshot(full, snapshotAt(START, { cpu_percent: 5 })).series.cpu_percent, [5]);
    const empty = historyOf(HOUR, [START]);
    assert.deepEqual(appendSnapshot(empty, snapshotAt(START, { cpu_percent: 5 })).series.cpu_percent, [5]);
  });

  test("missed ticks are gaps", () => {
    const after = appendSnapshot(historyOf(HOUR, [START], { cpu_percent: [5] }), snapshotAt(START + 40_000, { cpu_percent: 7 }));
    assert.deepEqual(seconds(after), [0, 10, 20, 30, 40]);
    assert.deepEqual(after.series.cpu_percent, [5, null, null, null, 7]);
  });

  test("what is late or was reported before changes nothing", () => {
    const once = appendSnapshot(historyOf(HOUR, [START], { cpu_percent: [5] }), snapshotAt(START + 10_000, { cpu_percent: 7 }));
    assert.equal(appendSnapshot(once, snapshotAt(START + 10_000, { cpu_percent: 9 })), once);
    assert.equal(appendSnapshot(once, snapshotAt(START, { cpu_percent: 9 })), once);
  });

  test("the first reading of all begins the history", () => {
    const after = appendSnapshot(historyOf(HOUR, []), snapshotAt(START + 3000, { cpu_percent: 7 }));
    assert.deepEqual(seconds(after), [0]);
    assert.deepEqual(after.series.cpu_percent, [7]);
  });
});

describe("the range", () => {
  const times = Array.from({ length: 360 }, (_, index) => START + index * 10_000);
  const full = historyOf(HOUR, times, { cpu_percent: times.map((_, index) => index) });

  test("keeps its length", () => {
    const after = appendSnapshot(full, snapshotAt(START + 3_600_000, { cpu_percent: 360 }));
    assert.equal(after.series.timestamps.length, 360);
    assert.deepEqual([seconds(after)[0], after.series.cpu_percent[0], after.series.cpu_percent.at(-1)], [10, 1, 360]);
  });

  test("is bounded after any absence", () => {
    const after = appendSnapshot(full, snapshotAt(START + 365 * 86_400_000, { cpu_percent: 1 }));
    assert.equal(after.series.timestamps.length, 360);
    assert.deepEqual(after.series.cpu_percent.slice(-2), [null, 1]);
  });

  test("lets go of breaches that ended before it", () => {
    const breach = (resolvedAt: number | null) => ({
      ...({ metric: "cpu", threshold: 90, peak: 97, fired_at: new Date(START - 10_000).toISOString() } as const),
      resolved_at: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
    });
    const [over, lasting, open] = [breach(START), breach(START + 60_000), breach(null)];
    const after = appendSnapshot({ ...full, breaches: [over, lasting, open] }, snapshotAt(START + 3_600_000));
    assert.deepEqual(after.breaches, [lasting, open]);
  });
});

describe("a step of several readings", () => {
  test("its mean, maximum and latest limit are those of its readings", () => {
    let history = historyOf(SIX_HOURS, [START - 30_000], { cpu_percent: [50] });
    const readings = [
      { cpu_percent: 1, memory_limit_bytes: 100, network_rx_bytes_per_second: null },
      { cpu_percent: 2, memory_limit_bytes: 100, network_rx_bytes_per_second: 10 },
      { cpu_percent: 6, memory_limit_bytes: 200, network_rx_bytes_per_second: 20 },
    ];
    for (const [index, reading] of readings.entries()) history = appendSnapshot(history, snapshotAt(START + index * 10_000, reading));
    assert.deepEqual(seconds(history), [-30, 0]);
    assert.deepEqual(history.series.cpu_percent, [50, 3]);
    assert.deepEqual(history.series.cpu_percent_max, [null, 6]);
    assert.deepEqual(history.series.memory_limit_bytes, [null, 200]);
    assert.deepEqual(history.series.network_rx_bytes_per_second, [null, 15]);
  });

  test("one that an answer brought half-done continues", () => {
    const half = historyOf(SIX_HOURS, [START], { cpu_percent: [4], cpu_percent_max: [6] });
    const after = appendSnapshot(half, snapshotAt(START + 20_000, { cpu_percent: 10 }));
    assert.deepEqual(after.series.cpu_percent, [6]);
    assert.deepEqual(after.series.cpu_percent_max, [10]);
  });

  test("any readings make what they would have made all at once", () => {
    const value = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
    const ticks = fc.array(fc.option(value, { nil: undefined }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(ticks, fc.constantFrom(HOUR, SIX_HOURS, { range: "24h", stepSeconds: 120 } as const), (readings, range) => {
        let history = historyOf(range, []);
        const steps = new Map<number, number[]>();
        for (const [tick, cpu] of readings.entries()) {
          if (cpu === undefined) continue;
          history = appendSnapshot(history, snapshotAt(START + tick * 10_000, { cpu_percent: cpu }));
          const step = Math.floor((tick * 10) / range.stepSeconds) * range.stepSeconds;
          steps.set(step, [...(steps.get(step) ?? []), ...(cpu === null ? [] : [cpu])]);
        }
        for (const [index, second] of seconds(history).entries()) {
          const values = steps.get(second) ?? [];
          const mean = history.series.cpu_percent[index];
          if (values.length === 0) assert.equal(mean, null);
          else assert.ok(Math.abs((mean ?? Number.NaN) - values.reduce((sum, each) => sum + each, 0) / values.length) < 1e-9);
          assert.equal(history.series.cpu_percent_max[index], values.length === 0 ? null : Math.max(...values));
        }
      }),
    );
  });
});
