import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type FakeClock, createFakeClock } from "../../test/support/fake-clock.ts";
import { until } from "../../test/support/until.ts";
import { systemClock } from "../platform/clock.ts";
import { type HostReader, createHostReader } from "./host.ts";

const ENGINE = { address: "unix:///var/run/docker.sock", hostname: "harbour", operatingSystem: "Alpine Linux v3.20" };

describe("host reader", () => {
  let folder: string;
  let clock: FakeClock;
  beforeEach(() => {
    folder = mkdtempSync(join(os.tmpdir(), "binnacle-host-"));
    clock = createFakeClock();
    mkdirSync(join(folder, "etc"));
    mkdirSync(join(folder, "proc"));
    write("etc/os-release", 'PRETTY_NAME="Harbour OS 3"\n');
    write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 300 kB\nMemAvailable: 600 kB\n");
    write("proc/loadavg", "0.50 0.25 0.10 1/2 3\n");
    write("proc/uptime", "77.5 10.0\n");
    stat(100, 900);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const stat = (busy: number, idle: number): void =>
    write("proc/stat", `cpu  ${busy} 0 0 ${idle} 0 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1\ncpu2 1 1\n`);
  const readerWith = (runtime: Partial<typeof ENGINE> | { hostname: null; operatingSystem: null } = {}): HostReader =>
    createHostReader({ clock, procPath: join(folder, "proc"), rootPath: folder, runtime: () => ({ ...ENGINE, ...runtime }) });

  it("reads the files of the host", async () => {
    const { diskBytes, diskTotalBytes, ...rest } = await readerWith().read();
    assert.deepEqual(rest, {
      hostname: "harbour",
      os: "Alpine Linux v3.20",
      cpuCount: 3,
      cpuPercent: null,
      memoryBytes: 400 * 1024,
      memoryTotalBytes: 1000 * 1024,
      load: [0.5, 0.25, 0.1],
      uptimeSeconds: 77,
    });
    assert.ok(diskBytes !== null && diskTotalBytes !== null && diskBytes > 0 && diskBytes < diskTotalBytes);
  });

  it("reports the CPU usage since the reading before, unless that is too long ago", async () => {
    const reader = readerWith();
    const percents: (number | null)[] = [];
    for (const [busy, idle, afterMs] of [
      [100, 900, 0],
      [125, 975, 10_000],
      [225, 975, 35_000],
      [235, 1065, 35_001],
      [245, 1095, 10_000],
    ] as const) {
      await clock.advance(afterMs);
      stat(busy, idle);
      percents.push((await reader.read()).cpuPercent);
    }
    assert.deepEqual(percents, [null, 25, 100, null, 25]);
  });

  for (const { name, runtime, hostname, system } of [
    {
      name: "an engine behind a socket proxy",
      runtime: { address: "tcp://socket-proxy:2375" },
      hostname: "harbour",
      system: "Alpine Linux v3.20",
    },
    {
      name: "an engine at a loopback address",
      runtime: { address: "tcp://127.0.0.1:2375" },
      hostname: "harbour",
      system: "Alpine Linux v3.20",
    },
    {
      name: "an engine elsewhere",
      runtime: { address: "https://docker.example.org:2376" },
      hostname: os.hostname(),
      system: "Harbour OS 3",
    },
    {
      name: "an engine at an address elsewhere",
      runtime: { address: "tcp://10.0.0.5:2375" },
      hostname: os.hostname(),
      system: "Harbour OS 3",
    },
    {
      name: "an engine that was not reached yet",
      runtime: { hostname: null, operatingSystem: null },
      hostname: os.hostname(),
      system: "Harbour OS 3",
    },
    { name: "an engine that does not name its system", runtime: { operatingSystem: "" }, hostname: "harbour", system: "Harbour OS 3" },
    {
      name: "a name with what does not belong there",
      runtime: { hostname: "har\u001b[31mbour\n" },
      hostname: "harbour",
      system: "Alpine Linux v3.20",
    },
  ]) {
    it(`names the host by ${name}`, async () => {
      const reading = await readerWith(runtime).read();
      assert.deepEqual([reading.hostname, reading.os], [hostname, system]);
    });
  }

  it("says nothing of what it cannot read, and the rest", async () => {
    for (const name of ["meminfo", "loadavg", "uptime"]) rmSync(join(folder, "proc", name));
    const reader = createHostReader({
      clock,
      procPath: join(folder, "proc"),
      rootPath: join(folder, "nowhere"),
      runtime: () => ({ ...ENGINE, operatingSystem: "" }),
    });
    const { memoryBytes, memoryTotalBytes, load, uptimeSeconds, diskBytes, diskTotalBytes, os: system, cpuCount } = await reader.read();
    assert.deepEqual(
      [memoryBytes, memoryTotalBytes, load, uptimeSeconds, diskBytes, diskTotalBytes, system],
      [null, null, null, null, null, null, null],
    );
    assert.equal(cpuCount, 3);
  });

  it("takes what Node reports where there is no /proc", async () => {
    const reader = createHostReader({ clock, procPath: join(folder, "none"), rootPath: folder, runtime: () => ENGINE });
    const { memoryBytes, memoryTotalBytes, cpuCount, cpuPercent } = await reader.read();
    assert.deepEqual([memoryBytes, memoryTotalBytes, cpuCount, cpuPercent], [null, os.totalmem(), os.cpus().length, null]);
    const later = await until(async () => (await reader.read()).cpuPercent);
    assert.ok(later > 0 && later <= 100);
  });

  it("reads this machine", { skip: process.platform !== "linux" }, async () => {
    const reader = createHostReader({ procPath: "/proc", clock: systemClock, runtime: () => ENGINE });
    const first = await reader.read();
    assert.equal(first.cpuCount, os.cpus().length);
    assert.equal(first.memoryTotalBytes, os.totalmem());
    assert.ok(first.memoryBytes !== null && first.memoryBytes > 10e6 && first.memoryBytes < os.totalmem());
    assert.ok(Math.abs((first.uptimeSeconds ?? Number.NaN) - os.uptime()) < 5);
    assert.equal(first.load?.length, 3);
    const percent = await until(async () => (await reader.read()).cpuPercent);
    assert.ok(percent > 0 && percent <= 100);
  });
});
