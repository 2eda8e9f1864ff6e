import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { hostMeters } from "./host-meters.ts";

const GIB = 2 ** 30;
const HOST: HostRecord = {
  ...{ agent_id: null, label: "Local", hostname: null, os: null, runtime: null, load: null, uptime_seconds: null },
  ...{ cpu_percent: 31, cpu_count: 8, memory_bytes: 512 * 2 ** 20, memory_total_bytes: 8 * GIB, disk_bytes: 300 * GIB },
  ...{ disk_total_bytes: 400 * GIB, running_containers: 0, available: true, timestamp: null },
};

test("CPU, memory and disk as shares, and what of", () => {
  assert.deepEqual(hostMeters(HOST), [
    { name: "CPU", percent: 31, amount: "of 8 CPUs" },
    { name: "Memory", percent: 6.25, amount: "512 MiB of 8.00 GiB" },
    { name: "Disk", percent: 75, amount: "300 of 400 GiB" },
  ]);
});

test("what is not known is not shown", () => {
  const unknown = { ...HOST, cpu_percent: null, cpu_count: null, memory_bytes: null, disk_total_bytes: null };
  assert.deepEqual(
    hostMeters(unknown).map(({ percent, amount }) => [percent, amount]),
    [
      [null, ""],
      [null, ""],
      [null, ""],
    ],
  );
});
