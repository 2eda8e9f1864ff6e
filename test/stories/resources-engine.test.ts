import assert from "node:assert/strict";
import { cpus, totalmem } from "node:os";
import { after, before, it } from "node:test";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { Hosts, Snapshot } from "../../src/monitoring/resources/answers.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { countDisk, type KernelCounters, kernelCounters } from "../support/kernel-counters.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const HELD_BYTES = 104_857_600;
const TICK_MS = 10_000;
const BURN = ["sh", "-c", "while :; do :; done"];

let engine: TestEngine;
let containers: TestContainers;
let program: Program;

before(async () => {
  engine = await startEngine();
  await importBusybox(engine);
  containers = createTestContainers(engine);
  program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
  await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
});

after(async () => {
  await program?.stop();
  await containers?.removeAll();
  await engine?.stop();
});

async function idOf(externalId: string): Promise<number> {
  const found = await until(async () => {
    const { groups } = await program.get<ContainerList>("/api/v1/containers");
    return groups.flatMap((group) => group.containers).find((each) => each.external_id === externalId);
  });
  return found.id;
}

const current = (id: number): Promise<Snapshot> => program.get<Snapshot>(`/api/v1/containers/${id}/resources/current`);
const patience = { withinMs: 90_000, everyMs: 100 };

/** What the kernel counts, noted again and again, so that the CPU used around any time is known. */
function noteCpu(kernel: KernelCounters): { coresBetween(fromMs: number, toMs: number): number; stop(): void } {
  const notes: { atMs: number; nanoseconds: number }[] = [];
  const note = (): void => void notes.push({ atMs: Date.now(), nanoseconds: kernel.cpuNanoseconds() });
  note();
  const timer = setInterval(note, 50);
  return {
    coresBetween(fromMs, toMs) {
      const [from, to] = [notes.findLast(({ atMs }) => atMs <= fromMs) ?? notes[0], notes.find(({ atMs }) => atMs >= toMs) ?? notes.at(-1)];
      assert.ok(from !== undefined && to !== undefined);
      return (to.nanoseconds - from.nanoseconds) / 1e6 / (to.atMs - from.atMs);
    },
    stop: () => clearInterval(timer),
  };
}

/** A busy machine gives a container less than it may use; then the kernel's word is all there is to compare with. */
const BUSY_AFTER_MS = 45_000;

it("shows CPU as a share of what is allocated", async (test) => {
  const burning = [
    { externalId: await containers.run("burn", [], ...BURN), allocated: cpus().length, cores: 1 },
    { externalId: await containers.run("half", ["--cpus", "0.5"], ...BURN), allocated: 0.5, cores: 0.5 },
    { externalId: await containers.run("tenth", ["--cpus", "0.1"], ...BURN), allocated: 0.1, cores: 0.1 },
  ].map((each) => ({ ...each, notes: noteCpu(kernelCounters(engine, each.externalId)) }));
  const startedMs = performance.now();
  try {
    for (const { externalId, allocated, cores, notes } of burning) {
      const id = await idOf(externalId);
      const shown = await until(async () => {
        const { cpu_percent: percent, cpu_cores_used: used, timestamp } = await current(id);
        if (percent === null || used === null || timestamp === null) return undefined;
        const tickMs = new Date(timestamp).getTime();
        assert.equal(tickMs % TICK_MS, 0);
        const counted = notes.coresBetween(tickMs - TICK_MS, tickMs);
        // What is read late, on a busy machine, is of another time than its tick.
        if (Math.abs(used - counted) >= 0.1) return undefined;
        assert.ok(
          Math.abs(percent - Math.min((used / allocated) * 100, 100)) < 0.1,
          `${percent} % of ${allocated} reported, ${used} cores used`,
        );
        const isBusy = performance.now() - startedMs > BUSY_AFTER_MS;
        return counted > cores * 0.9 || isBusy ? { percent, counted } : undefined;
      }, patience);
      const [ideal, possible] = [(cores / allocated) * 100, (shown.counted / allocated) * 100];
      test.diagnostic(`${shown.percent} % shown, ${ideal} % when free, ${possible.toFixed(1)} % by the kernel`);
      assert.ok(shown.percent <= ideal * 1.1 && shown.percent >= Math.min(ideal, possible) * 0.8, `${shown.percent} %`);
    }
  } finally {
    for (const { notes } of burning) notes.stop();
    await engine.docker("rm", "-f", ...burning.map(({ externalId }) => externalId));
  }
});

it("shows memory, network and disks as the kernel counts them", async () => {
  const flags = await countDisk(engine);
  const server = await containers.run("server", [], "httpd", "-f", "-h", "/bin");
  const address = await engine.docker("inspect", "-f", "{{.NetworkSettings.IPAddress}}", server);
  const work = `until wget -q -O /tmp/fetched http://${address}/busybox; do sleep 0.1; done; dd if=/tmp/fetched of=/tmp/copy conv=fsync; { head -c ${HELD_BYTES} /dev/zero; sleep 3600; } | tail`;
  const externalId = await containers.run("work", flags, "sh", "-c", work);
  const kernel = kernelCounters(engine, externalId);
  const id = await idOf(externalId);

  const shown = await until(async () => {
    const [snapshot, network, disk] = [await current(id), await kernel.network(), kernel.disk()];
    const sameNetwork = snapshot.network_rx_bytes === network.rxBytes && snapshot.network_tx_bytes === network.txBytes;
    const sameDisk = snapshot.disk_read_bytes === (disk?.readBytes ?? null) && snapshot.disk_write_bytes === (disk?.writeBytes ?? null);
    return sameNetwork && sameDisk && (snapshot.memory_bytes ?? 0) >= HELD_BYTES * 0.95 ? snapshot : undefined;
  }, patience);
  assert.ok((shown.memory_bytes ?? Number.NaN) <= HELD_BYTES * 1.05, `${shown.memory_bytes} bytes`);
  assert.equal(shown.memory_limit_bytes, totalmem());
  assert.ok((shown.network_rx_bytes ?? 0) > 1_000_000);
  assert.ok(shown.disk_write_bytes === null || shown.disk_write_bytes > 1_000_000);
  await engine.docker("rm", "-f", server, externalId);
});

it("shows the host", async () => {
  const { hosts } = await program.get<Hosts>("/api/v1/resources/hosts");
  const [host] = hosts;
  assert.ok(host !== undefined && hosts.length === 1);
  assert.deepEqual([host.agent_id, host.available, host.cpu_count, host.memory_total_bytes], [null, true, cpus().length, totalmem()]);
  assert.equal(host.hostname, await engine.docker("info", "-f", "{{.Name}}"));
  assert.equal(host.os, await engine.docker("info", "-f", "{{.OperatingSystem}}"));
  assert.ok(host.cpu_percent !== null && host.cpu_percent > 0 && host.cpu_percent <= 100);
  assert.ok((host.memory_bytes ?? 0) > 0 && (host.disk_bytes ?? 0) > 0 && (host.uptime_seconds ?? 0) > 0);
});
