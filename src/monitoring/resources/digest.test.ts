import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import type { History } from "./answers.ts";
import { DIGEST_METRICS, digestOf } from "./digest.ts";

const timestampOf = (step: number): string => new Date(Date.UTC(2026, 2, 1) + step * 10_000).toISOString();

/** A history of as many steps as the longest column has; what is not given was not measured. */
function historyOf(columns: Partial<Record<keyof History["series"], (number | null)[]>>): Pick<History, "series" | "step_seconds"> {
  const steps = Math.max(...Object.values(columns).map(({ length }) => length));
  const column = (name: Exclude<keyof History["series"], "timestamps">): (number | null)[] =>
    Array.from({ length: steps }, (_, step) => columns[name]?.[step] ?? null);
  return {
    step_seconds: 10,
    series: {
      timestamps: Array.from({ length: steps }, (_, step) => timestampOf(step)),
      cpu_percent: column("cpu_percent"),
      cpu_percent_max: column("cpu_percent_max"),
      memory_bytes: column("memory_bytes"),
      memory_bytes_max: column("memory_bytes_max"),
      memory_limit_bytes: column("memory_limit_bytes"),
      network_rx_bytes_per_second: column("network_rx_bytes_per_second"),
      network_tx_bytes_per_second: column("network_tx_bytes_per_second"),
      disk_read_bytes_per_second: column("disk_read_bytes_per_second"),
      disk_write_bytes_per_second: column("disk_write_bytes_per_second"),
    },
  };
}

describe("a digest of a history", () => {
  const given = historyOf({
    cpu_percent: [10, 20, null, null, 40, 30.005],
    cpu_percent_max: [12, 90, null, null, 90, 31],
    memory_bytes: [100, 200, null, null, 300, 401],
    memory_bytes_max: [100, 250, null, null, 300, 402],
    network_rx_bytes_per_second: [null, null, null, null, 7, null],
  });

  it("sums up each metric, with the moment of its maximum", () => {
    const { summary, measured_percent: measured } = digestOf(given, 0);
    assert.deepEqual(summary.cpu_percent, { min: 10, mean: 25, max: 90, max_at: timestampOf(1) });
    assert.deepEqual(summary.memory_bytes, { min: 100, mean: 250, max: 402, max_at: timestampOf(5) });
    assert.deepEqual(summary.network_rx_bytes_per_second, { min: 7, mean: 7, max: 7, max_at: timestampOf(4) });
    assert.deepEqual(summary.disk_read_bytes_per_second, { min: null, mean: null, max: null, max_at: null });
    assert.equal(measured, 66.67);
  });

  it("joins steps to points, and leaves out those without a measurement", () => {
    const { points, step_seconds: stepSeconds } = digestOf(given, 3);
    assert.equal(stepSeconds, 20);
    assert.partialDeepStrictEqual(points, [
      {
        timestamp: timestampOf(0),
        cpu_percent: 15,
        cpu_percent_max: 90,
        memory_bytes: 150,
        memory_bytes_max: 250,
        network_rx_bytes_per_second: null,
      },
      {
        timestamp: timestampOf(4),
        cpu_percent: 35,
        cpu_percent_max: 90,
        memory_bytes: 351,
        memory_bytes_max: 402,
        network_rx_bytes_per_second: 7,
      },
    ]);
    assert.equal(points.length, 2);
  });

  it("has no points when none are wanted, and every step when there is room", () => {
    assert.deepEqual(digestOf(given, 0).points, []);
    assert.equal(digestOf(given, 120).points.length, 4);
    assert.equal(digestOf(given, 120).step_seconds, 10);
  });

  it("never has more points than wanted, and nothing outside of what was measured", () => {
    const column = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(column, column, fc.integer({ min: 0, max: 120 }), (cpu, memory, maxPoints) => {
        const {
          summary,
          points,
          measured_percent: measured,
        } = digestOf(historyOf({ cpu_percent: cpu, cpu_percent_max: cpu, memory_bytes: memory, memory_bytes_max: memory }), maxPoints);
        assert.ok(points.length <= maxPoints);
        assert.ok(measured >= 0 && measured <= 100);
        const known = cpu.filter((value) => value !== null);
        assert.equal(summary.cpu_percent.max, known.length === 0 ? null : Math.max(...known));
        assert.equal(summary.cpu_percent.min, known.length === 0 ? null : Math.min(...known));
        for (const point of points) {
          assert.ok(DIGEST_METRICS.some((metric) => point[metric] !== null));
          assert.ok(point.cpu_percent === null || point.cpu_percent <= (point.cpu_percent_max ?? -1) + 0.005);
        }
        if (maxPoints > 0 && known.length > 0)
          assert.equal(Math.max(...points.map((point) => point.cpu_percent_max ?? -1)), summary.cpu_percent.max);
      }),
    );
  });
});
