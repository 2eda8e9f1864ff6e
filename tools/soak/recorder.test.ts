import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLatencies } from "./latencies.ts";
import { createRecorder } from "./recorder.ts";

test("this process is measured, its files, and what answers took; a restart begins a life of what restarted", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  writeFileSync(join(dataDir, "data"), Buffer.alloc(3 * 1024 ** 2));
  const server = createServer((_request, response) => response.end("nodejs_heap_size_used_bytes 52428800\n")).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(dataDir, { recursive: true });
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const latencies = createLatencies();
  const nobody = async (): Promise<void> => undefined;
  const world = {
    url,
    dataDir,
    pids: () => ({ server: process.pid, agent: 0 }),
    restartServer: nobody,
    restartAgents: nobody,
    stop: nobody,
  };
  const recorder = createRecorder(world, latencies);

  for (const ms of [1, 2, 3, 90]) latencies.add("health", ms);
  await recorder.record(0);
  recorder.beginLife("server");
  await recorder.record(1000);

  const of = (name: string) => recorder.series.find((series) => series.name === name)?.lives.map((life) => life.map(({ value }) => value));
  assert.deepEqual(of("server: heap in use"), [[50], [50]]);
  assert.deepEqual(of("data folder"), [[3, 3]]);
  assert.deepEqual(of("health, p50"), [[3], []]);
  assert.deepEqual(of("health, p99"), [[90], []]);
  assert.deepEqual(of("agent: resident memory"), [[]], "of a process that is gone nothing is measured");
  const [[handles = 0] = []] = of("server: open files and sockets") ?? [];
  assert.ok(handles > 3 && handles < 500, String(handles));
  const [[resident = 0] = []] = of("server: resident memory") ?? [];
  assert.ok(resident > 20 && resident < 2000, String(resident));
});
