import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { allocatedCpus, countCpus, memoryLimit, readLimits } from "./limits.ts";
import { containerAnswer } from "./schemas.ts";

const HOST = { cpus: 4, memoryBytes: 8_000_000_000 };
const UNKNOWN = { cpus: null, memoryBytes: null };

function limitsOf(hostConfig: object): ReturnType<typeof readLimits> {
  return readLimits(containerAnswer.parse({ Id: "a", State: {}, Config: {}, HostConfig: hostConfig }).HostConfig);
}

describe("limits of a container", () => {
  const cases: { name: string; hostConfig: object; cpus: number; memoryBytes: number }[] = [
    { name: "none", hostConfig: {}, cpus: 4, memoryBytes: 8_000_000_000 },
    { name: "none, as Podman leaves them out", hostConfig: { NanoCpus: null, CpusetCpus: null }, cpus: 4, memoryBytes: 8_000_000_000 },
    { name: "--cpus", hostConfig: { NanoCpus: 500_000_000 }, cpus: 0.5, memoryBytes: 8_000_000_000 },
    { name: "a quota of the usual period", hostConfig: { CpuQuota: 150_000 }, cpus: 1.5, memoryBytes: 8_000_000_000 },
    { name: "a quota with another period", hostConfig: { CpuQuota: 50_000, CpuPeriod: 20_000 }, cpus: 2.5, memoryBytes: 8_000_000_000 },
    { name: "a quota that is none", hostConfig: { CpuQuota: -1, CpuPeriod: 100_000 }, cpus: 4, memoryBytes: 8_000_000_000 },
    { name: "a set of CPUs", hostConfig: { CpusetCpus: "0,2-3" }, cpus: 3, memoryBytes: 8_000_000_000 },
    { name: "a set below a quota", hostConfig: { NanoCpus: 3e9, CpusetCpus: "1" }, cpus: 1, memoryBytes: 8_000_000_000 },
    { name: "a quota below a set", hostConfig: { NanoCpus: 25e7, CpusetCpus: "0-1" }, cpus: 0.25, memoryBytes: 8_000_000_000 },
    { name: "more than there is", hostConfig: { CpuQuota: 900_000, Memory: 9e12 }, cpus: 4, memoryBytes: 8_000_000_000 },
    { name: "memory", hostConfig: { Memory: 104_857_600 }, cpus: 4, memoryBytes: 104_857_600 },
  ];
  for (const { name, hostConfig, cpus, memoryBytes } of cases) {
    it(`reads ${name}`, () => {
      assert.equal(allocatedCpus(limitsOf(hostConfig), HOST), cpus);
      assert.equal(memoryLimit(limitsOf(hostConfig), HOST), memoryBytes);
    });
  }

  it("says nothing of an unknown host, but what is limited and what the engine says", () => {
    assert.deepEqual([allocatedCpus(limitsOf({}), UNKNOWN), memoryLimit(limitsOf({}), UNKNOWN)], [null, null]);
    assert.equal(allocatedCpus(limitsOf({ NanoCpus: 5e8 }), UNKNOWN), 0.5);
    assert.equal(memoryLimit(limitsOf({}), UNKNOWN, 5_000_000), 5_000_000);
  });

  for (const none of [9_223_372_036_854_771_712, 2 ** 63, 2 ** 64, 9e12, 0]) {
    it(`takes the limit ${none} for none`, () => {
      assert.equal(memoryLimit(limitsOf({}), HOST, none), HOST.memoryBytes);
    });
  }

  it("never takes a limit that is none for the memory of an unknown host", () => {
    assert.equal(memoryLimit(limitsOf({}), UNKNOWN, 9_223_372_036_854_771_712), null);
  });

  for (const nonsense of ["", " ", "a", "3-1", "0-", "-1", "0,,1", "0-99999", "0-8192", "1.5"]) {
    it(`does not count ${JSON.stringify(nonsense)}`, () => assert.equal(countCpus(nonsense), null));
  }

  it("counts every CPU of a list once", () => {
    const range = fc.tuple(fc.nat(200), fc.nat(8)).map(([first, more]) => ({ first, last: first + more }));
    fc.assert(
      fc.property(fc.array(range, { minLength: 1 }), (ranges) => {
        const named = new Set(ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, place) => first + place)));
        const list = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
        assert.equal(countCpus(list), named.size);
      }),
    );
  });
});
