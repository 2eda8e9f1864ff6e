import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import type { ReadingColumn } from "../observations.ts";
import type { ContainerUsage } from "../runtimes/runtime.ts";
import { readingSince } from "./usage-delta.ts";

const NAN = Number.NaN;

function usage(facts: Partial<ContainerUsage> = {}): ContainerUsage {
  return {
    externalId: "a",
    readAtMs: 0,
    cpuNanoseconds: 0,
    allocatedCpus: 2,
    memoryBytes: 1000,
    memoryLimitBytes: 4000,
    networkRxBytes: 0,
    networkTxBytes: 0,
    diskReadBytes: 0,
    diskWriteBytes: 0,
    ...facts,
  };
}

describe("what a container uses between two readings", () => {
  const cases: {
    name: string;
    now: Partial<ContainerUsage>;
    before?: Partial<ContainerUsage>;
    expected: Partial<Record<ReadingColumn, number>>;
  }[] = [
    { name: "one of two CPUs", now: { readAtMs: 10_000, cpuNanoseconds: 10e9 }, before: {}, expected: { cpuPercent: 50, cpuCoresUsed: 1 } },
    {
      name: "all of half a CPU",
      now: { readAtMs: 10_000, cpuNanoseconds: 5e9, allocatedCpus: 0.5 },
      before: {},
      expected: { cpuPercent: 100, cpuCoresUsed: 0.5 },
    },
    {
      name: "a burst above its quota",
      now: { readAtMs: 10_000, cpuNanoseconds: 6e9, allocatedCpus: 0.5 },
      before: {},
      expected: { cpuPercent: 100, cpuCoresUsed: 0.6 },
    },
    {
      name: "an unknown allocation",
      now: { readAtMs: 10_000, cpuNanoseconds: 5e9, allocatedCpus: null },
      before: {},
      expected: { cpuPercent: NAN, cpuCoresUsed: 0.5 },
    },
    {
      name: "rates over the time that has really passed",
      now: { readAtMs: 12_500, networkRxBytes: 2500, networkTxBytes: 1250, diskReadBytes: 5000, diskWriteBytes: 0 },
      before: {},
      expected: {
        networkRxBytes: 2500,
        networkRxBytesPerSecond: 200,
        networkTxBytesPerSecond: 100,
        diskReadBytesPerSecond: 400,
        diskWriteBytesPerSecond: 0,
      },
    },
    {
      name: "counters that a restart set back",
      now: { readAtMs: 10_000, cpuNanoseconds: 1e9, networkRxBytes: 500 },
      before: { cpuNanoseconds: 90e9, networkRxBytes: 10_000_000 },
      expected: { cpuCoresUsed: 0.1, cpuPercent: 5, networkRxBytes: 500, networkRxBytesPerSecond: 50 },
    },
    {
      name: "no earlier reading",
      now: { cpuNanoseconds: 5 },
      expected: { cpuPercent: NAN, cpuCoresUsed: NAN, networkRxBytesPerSecond: NAN, memoryBytes: 1000 },
    },
    { name: "an earlier reading of 35 s ago", now: { readAtMs: 35_000, cpuNanoseconds: 35e9 }, before: {}, expected: { cpuCoresUsed: 1 } },
    {
      name: "an earlier reading of longer ago",
      now: { readAtMs: 35_001, cpuNanoseconds: 35e9 },
      before: {},
      expected: { cpuCoresUsed: NAN, networkTxBytesPerSecond: NAN, memoryBytes: 1000 },
    },
    { name: "an earlier reading of 1 s ago", now: { readAtMs: 1000, cpuNanoseconds: 1e9 }, before: {}, expected: { cpuCoresUsed: 1 } },
    { name: "an earlier reading of just now", now: { readAtMs: 999, cpuNanoseconds: 1e9 }, before: {}, expected: { cpuCoresUsed: NAN } },
    {
      name: "what is not reported",
      now: { readAtMs: 10_000, memoryBytes: null, memoryLimitBytes: null, networkRxBytes: null, cpuNanoseconds: null },
      before: {},
      expected: {
        memoryBytes: NAN,
        memoryLimitBytes: NAN,
        networkRxBytes: NAN,
        networkRxBytesPerSecond: NAN,
        cpuCoresUsed: NAN,
        diskReadBytes: 0,
      },
    },
    {
      name: "what was not reported before",
      now: { readAtMs: 10_000, diskReadBytes: 5000 },
      before: { diskReadBytes: null },
      expected: { diskReadBytes: 5000, diskReadBytesPerSecond: NAN },
    },
  ];
  for (const { name, now, before, expected } of cases) {
    it(`is derived with ${name}`, () => {
      const reading = readingSince(usage(now), before && usage(before));
      const names = Object.keys(expected) as ReadingColumn[];
      assert.deepEqual(Object.fromEntries(names.map((column) => [column, reading[column]])), expected);
    });
  }

  it("is never below zero, nor a percentage above 100", () => {
    const counter = fc.option(fc.nat(1e12), { nil: null });
    const any = fc.record({
      readAtMs: fc.nat(100_000),
      cpuNanoseconds: counter,
      allocatedCpus: fc.option(fc.double({ min: 0.01, max: 512, noNaN: true }), { nil: null }),
      networkRxBytes: counter,
      diskWriteBytes: counter,
    });
    fc.assert(
      fc.property(any, any, (now, before) => {
        const reading = readingSince(usage(now), usage(before));
        assert.ok(Object.values(reading).every((value) => Number.isNaN(value) || (value >= 0 && Number.isFinite(value))));
        assert.ok(!(reading.cpuPercent > 100));
      }),
    );
  });

  it("adds up to what the counters rose by, however they are read", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ seconds: fc.integer({ min: 1, max: 35 }), bytes: fc.nat(1e9) }), { minLength: 1 }), (steps) => {
        let before = usage();
        let total = 0;
        for (const { seconds, bytes } of steps) {
          const now = usage({ readAtMs: before.readAtMs + seconds * 1000, networkRxBytes: (before.networkRxBytes ?? 0) + bytes });
          total += readingSince(now, before).networkRxBytesPerSecond * seconds;
          before = now;
        }
        assert.ok(Math.abs(total - (before.networkRxBytes ?? 0)) < 1);
      }),
    );
  });
});
