import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSecureContext } from "node:tls";
import { DAY_MS } from "../../contract/time.ts";
import { startIngestServer } from "../../../test/support/ingest-server.ts";
import { sampled } from "../../../test/support/readings.ts";
import { until } from "../../../test/support/until.ts";
import { TICK_MS } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createUplink } from "./index.ts";

const CONTAINERS = Array.from({ length: 50 }, (_, index) => index.toString(16).padStart(64, "c"));
const ENDPOINTS = 20;
const MEMORY = 16_777_216;
const DISK = 134_217_728;

test("a day of 50 containers and 20 endpoints waits within the budgets, whole, and is sent fast", { timeout: 300_000 }, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "binnacle-day-"));
  const server = await startIngestServer();
  const uplink = createUplink({
    server: { host: "127.0.0.1", port: server.port, isPlain: true },
    skipTlsVerify: false,
    serverFingerprint: undefined,
    trust: () => createSecureContext(),
    dataDir,
    enrollmentToken: "svc_enr_token",
    label: undefined,
    spool: { maxMemoryBytes: MEMORY, maxDiskBytes: DISK, maxAgeMs: DAY_MS + 3_600_000 },
    logs: () => assert.fail(),
    clock: systemClock,
    log: silentLog,
  });
  t.after(async () => {
    await uplink.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  const since = new Date(Math.floor((Date.now() - DAY_MS) / TICK_MS) * TICK_MS);
  let events = 0;
  let largest = 0;
  for (let ms = 0; ms < DAY_MS; ms += TICK_MS) {
    const observedAt = new Date(since.getTime() + ms);
    uplink.observe(null, usageAt(observedAt));
    uplink.observe(null, { kind: "host.watched", observedAt, since });
    events += 2;
    for (let index = 0; ms % 30_000 === 0 && index < ENDPOINTS; index += 1) {
      const result = {
        success: true,
        observed: true,
        responseTimeMs: 12.5,
        httpStatus: 200,
        failureClass: null,
        error: null,
        certificate: null,
      };
      uplink.observe(null, { kind: "endpoint.checked", observedAt, key: `${CONTAINERS[index]}/service.endpoint.http`, result });
      events += 1;
    }
    largest = Math.max(largest, uplink.status().bytes);
  }
  const { queued, dropped, bytes } = uplink.status();
  t.diagnostic(`${events} events, ${bytes} bytes: ${Math.round(bytes / events)} an event`);
  assert.ok(largest <= MEMORY + DISK);
  assert.deepEqual([queued, dropped], [events, 0]);

  const startedMs = performance.now();
  const before = process.cpuUsage();
  uplink.start({
    hello: () => ({ version: "1", hostname: "box", os: "linux", arch: "x64", runtime: "docker", capabilities: [] }),
    refresh: async () => undefined,
    report: () => undefined,
  });
  await until(() => uplink.status().queued === 0, { withinMs: 180_000, everyMs: 20 });
  const [first] = server.batches;
  const seconds = (performance.now() - (first?.atMs ?? startedMs)) / 1000;
  const { user, system } = process.cpuUsage(before);
  t.diagnostic(`${Math.round(events / seconds)} events/s, ${Math.round((events * 1e6) / (user + system))} a second of CPU, of both sides`);
  assert.equal(
    server.batches.reduce((sum, batch) => sum + batch.events.length, 0),
    events,
  );
});

function usageAt(observedAt: Date) {
  const reading = (index: number) => ({
    cpuPercent: (observedAt.getTime() / 1000 + index) % 100,
    cpuCoresUsed: index / 7,
    memoryBytes: 1e8 + index,
    memoryLimitBytes: 1e9,
    networkRxBytes: observedAt.getTime(),
    networkTxBytes: observedAt.getTime() * 2,
    diskReadBytes: 1e6,
    diskWriteBytes: 2e6,
    networkRxBytesPerSecond: 1234.5,
    networkTxBytesPerSecond: 567.8,
    diskReadBytesPerSecond: 0,
    diskWriteBytesPerSecond: 9.5,
  });
  return sampled(observedAt, Object.fromEntries(CONTAINERS.map((id, index) => [id, reading(index)])));
}
