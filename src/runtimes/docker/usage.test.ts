import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readStatsAnswer, statsAnswer } from "./usage.ts";

/** As Docker 20.10 answers on control groups version 1, shortened. */
const VERSION_1 = {
  read: "2026-03-01T12:00:00.354763278Z",
  preread: "0001-01-01T00:00:00Z",
  pids_stats: { current: 2 },
  blkio_stats: {
    io_service_bytes_recursive: [
      { major: 254, minor: 0, op: "Read", value: 4096 },
      { major: 254, minor: 0, op: "Write", value: 20_996_096 },
      { major: 254, minor: 0, op: "Sync", value: 21_000_192 },
      { major: 254, minor: 0, op: "Async", value: 0 },
      { major: 254, minor: 0, op: "Discard", value: 0 },
      { major: 254, minor: 0, op: "Total", value: 21_000_192 },
      { major: 7, minor: 1, op: "Read", value: 1000 },
    ],
    io_serviced_recursive: [{ major: 254, minor: 0, op: "Read", value: 1 }],
  },
  cpu_stats: {
    cpu_usage: { total_usage: 34_050_197, percpu_usage: [28_551_204, 5_498_993], usage_in_kernelmode: 1e7, usage_in_usermode: 1e7 },
    system_cpu_usage: 24_364_900_000_000,
    online_cpus: 2,
    throttling_data: { periods: 3, throttled_periods: 0, throttled_time: 0 },
  },
  precpu_stats: { cpu_usage: { total_usage: 0, usage_in_kernelmode: 0, usage_in_usermode: 0 } },
  memory_stats: {
    usage: 2_609_152,
    max_usage: 4_083_712,
    stats: { cache: 1_974_272, inactive_file: 500, rss: 53_248, total_cache: 1_974_272, total_inactive_file: 1_974_000 },
    limit: 209_715_200,
  },
  name: "/web",
  networks: { eth0: { rx_bytes: 200, rx_packets: 2, tx_bytes: 30 }, eth1: { rx_bytes: 7, tx_bytes: 1 } },
};

/** As Docker 24 answers on control groups version 2, shortened. */
const VERSION_2 = {
  read: "2026-03-01T12:00:00Z",
  blkio_stats: {
    io_service_bytes_recursive: [
      { major: 259, minor: 0, op: "read", value: 12_288 },
      { major: 259, minor: 0, op: "write", value: 4096 },
    ],
    io_serviced_recursive: null,
  },
  cpu_stats: { cpu_usage: { total_usage: 52_110_000, usage_in_kernelmode: 12_000_000, usage_in_usermode: 40_110_000 }, online_cpus: 8 },
  memory_stats: { usage: 10_485_760, stats: { anon: 4_000_000, file: 6_000_000, inactive_file: 5_000_000 }, limit: 33_000_000_000 },
  networks: { eth0: { rx_bytes: 1, tx_bytes: 2 } },
};

/** As Podman 4 answers: its memory is free of cache already, and it says so without details. */
const PODMAN = {
  read: "2026-03-01T12:00:00.1+01:00",
  blkio_stats: { io_service_bytes_recursive: [], io_serviced_recursive: null },
  cpu_stats: { cpu_usage: { total_usage: 7_000_000, usage_in_kernelmode: 1, usage_in_usermode: 2 }, cpu: 0.3, online_cpus: 4 },
  memory_stats: { usage: 811_008, max_usage: 2 ** 64, stats: null, limit: 8_000_000_000 },
  networks: {},
};

/** As Docker answers for a container that has ended meanwhile. */
const ENDED = {
  read: "0001-01-01T00:00:00Z",
  blkio_stats: { io_service_bytes_recursive: null },
  cpu_stats: { cpu_usage: { total_usage: 0 } },
  memory_stats: {},
};

function read(answer: object) {
  return readStatsAnswer(statsAnswer.parse(answer));
}

describe("an engine's statistics", () => {
  it("are read of control groups version 1", () => {
    assert.deepEqual(read(VERSION_1), {
      figures: {
        cpuNanoseconds: 34_050_197,
        memoryBytes: 635_152,
        networkRxBytes: 207,
        networkTxBytes: 31,
        diskReadBytes: 5096,
        diskWriteBytes: 20_996_096,
      },
      readAt: new Date("2026-03-01T12:00:00.354Z"),
      onlineCpus: 2,
      memoryLimitBytes: 209_715_200,
    });
  });

  it("are read of control groups version 2", () => {
    assert.deepEqual(read(VERSION_2), {
      figures: {
        cpuNanoseconds: 52_110_000,
        memoryBytes: 5_485_760,
        networkRxBytes: 1,
        networkTxBytes: 2,
        diskReadBytes: 12_288,
        diskWriteBytes: 4096,
      },
      readAt: new Date("2026-03-01T12:00:00Z"),
      onlineCpus: 8,
      memoryLimitBytes: 33_000_000_000,
    });
  });

  it("are read of Podman", () => {
    const { figures, readAt } = read(PODMAN) ?? assert.fail();
    assert.deepEqual([figures.cpuNanoseconds, figures.memoryBytes, readAt], [7_000_000, 811_008, new Date("2026-03-01T11:00:00.100Z")]);
    assert.deepEqual([figures.networkRxBytes, figures.diskReadBytes, figures.diskWriteBytes], [null, null, null]);
  });

  it("say nothing of a container that has ended", () => {
    assert.equal(read(ENDED), undefined);
    assert.equal(read({ ...ENDED, read: null }), undefined);
    assert.equal(read({}), undefined);
  });

  const cases: { name: string; change: object; figure: keyof NonNullable<ReturnType<typeof read>>["figures"]; value: number | null }[] = [
    { name: "no network", change: { networks: undefined }, figure: "networkRxBytes", value: null },
    { name: "networks that are null", change: { networks: null }, figure: "networkTxBytes", value: null },
    { name: "no disk list", change: { blkio_stats: {} }, figure: "diskReadBytes", value: null },
    {
      name: "a disk list that is null",
      change: { blkio_stats: { io_service_bytes_recursive: null } },
      figure: "diskReadBytes",
      value: null,
    },
    { name: "no memory figures", change: { memory_stats: {} }, figure: "memoryBytes", value: null },
    { name: "no CPU figures", change: { cpu_stats: {} }, figure: "cpuNanoseconds", value: null },
    {
      name: "more reclaimable than used, since they are read one after the other",
      change: { memory_stats: { usage: 10, stats: { inactive_file: 20 } } },
      figure: "memoryBytes",
      value: 0,
    },
    {
      name: "disks that were read but never written",
      change: { blkio_stats: { io_service_bytes_recursive: [{ op: "READ", value: 5 }] } },
      figure: "diskWriteBytes",
      value: null,
    },
  ];
  for (const { name, change, figure, value } of cases) {
    it(`are read with ${name}`, () => assert.equal(read({ ...VERSION_1, ...change })?.figures[figure], value));
  }

  it("are refused when they are not numbers", () => {
    assert.equal(statsAnswer.safeParse({ ...VERSION_2, memory_stats: { usage: "much" } }).success, false);
    assert.equal(statsAnswer.safeParse({ ...VERSION_2, cpu_stats: { cpu_usage: { total_usage: -5 } } }).success, false);
  });
});
