import assert from "node:assert/strict";
import http from "node:http";
import { cpus, totalmem } from "node:os";
import { after, before, describe, it } from "node:test";
import { type TestEngine, startEngine } from "../../../test/support/engine.ts";
import { type TestContainers, createTestContainers, importBusybox } from "../../../test/support/images.ts";
import { countDisk, kernelCounters } from "../../../test/support/kernel-counters.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ContainerUsage, Runtime } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

const signal = new AbortController().signal;
const HELD_BYTES = 104_857_600;
const HOLD = ["sh", "-c", `{ head -c ${HELD_BYTES} /dev/zero; sleep 3600; } | tail`];
const BURN = ["sh", "-c", "while :; do :; done"];

describe("what containers of a real engine use", () => {
  let engine: TestEngine;
  let containers: TestContainers;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
  });
  after(async () => {
    await containers.removeAll();
    await engine.stop();
  });

  for (const readCgroups of [true, false]) {
    describe(readCgroups ? "by the kernel's files" : "by asking the engine", () => {
      let runtime: Runtime;
      let denyStats: http.Server;

      before(async () => {
        denyStats = await proxyWithoutStats(engine);
        const host = readCgroups ? addressOf(denyStats) : engine.host;
        runtime = createDockerRuntime({ host, clock: systemClock, readCgroups });
      });
      after(async () => {
        await runtime.close();
        denyStats.closeAllConnections();
        denyStats.close();
      });

      async function usageOf(id: string): Promise<ContainerUsage | undefined> {
        return (await runtime.stats(signal)).find(({ externalId }) => externalId === id);
      }
      const run = (name: string, flags?: string[], ...command: string[]): Promise<string> =>
        containers.run(`${name}-${readCgroups}`, flags, ...command);
      const remove = (...ids: string[]): Promise<string> => engine.docker("rm", "-f", ...ids);

      it("reports the CPU time that the kernel counted, at the time it says", async () => {
        const id = await run("burn", [], ...BURN);
        const kernel = kernelCounters(engine, id);
        const marks: { atMs: number; cpuNanoseconds: number }[] = [];
        const mark = (): void => void marks.push({ atMs: systemClock.monotonicMs(), cpuNanoseconds: kernel.cpuNanoseconds() });
        mark();
        for (let reading = 1; reading <= 3; reading += 1) {
          const earliestMs = systemClock.monotonicMs();
          const marking = new AbortController();
          const marked = (async () => {
            while (!marking.signal.aborted) {
              mark();
              await new Promise((resolve) => setImmediate(resolve));
            }
          })();
          const usage = (await usageOf(id)) ?? assert.fail();
          marking.abort();
          await marked;
          mark();
          assert.ok(usage.readAtMs >= earliestMs && usage.readAtMs <= systemClock.monotonicMs());
          // What the kernel counted about that time, to a fortieth of the time between two readings.
          const [least, most] = [
            (marks.findLast(({ atMs }) => atMs <= usage.readAtMs - 250) ?? marks[0])?.cpuNanoseconds ?? Number.NaN,
            (marks.find(({ atMs }) => atMs >= usage.readAtMs + 250) ?? marks.at(-1))?.cpuNanoseconds ?? Number.NaN,
          ];
          const reported = usage.cpuNanoseconds ?? Number.NaN;
          assert.ok(reported >= least && reported <= most, `${least} <= ${reported} <= ${most}`);
        }
        await remove(id);
      });

      it("reports memory without cache, within 5 %", async () => {
        const id = await run("hold", [], ...HOLD);
        const held = await until(async () => {
          const bytes = (await usageOf(id))?.memoryBytes ?? 0;
          return bytes >= HELD_BYTES * 0.95 ? bytes : undefined;
        });
        assert.ok(held <= HELD_BYTES * 1.05, `${held} bytes`);
        await engine.docker("exec", id, "dd", "if=/dev/zero", "of=/tmp/cached", "bs=1M", "count=60", "conv=fsync");
        const withCache = (await usageOf(id))?.memoryBytes ?? Number.NaN;
        assert.ok(withCache <= HELD_BYTES * 1.05, `${withCache} bytes`);
        await remove(id);
      });

      it("reports what went over its network, as its kernel counts it", async () => {
        const server = await run("server", [], "httpd", "-f", "-h", "/bin");
        const client = await run("client");
        const address = await engine.docker("inspect", "-f", "{{.NetworkSettings.IPAddress}}", server);
        const fetched = ["exec", client, "wget", "-q", "-O", "/dev/null", `http://${address}/busybox`];
        await until(() =>
          engine
            .docker(...fetched)
            .then(() => true)
            .catch(() => false),
        );
        const kernel = kernelCounters(engine, client);
        await until(async () => {
          const [least, usage, most] = [await kernel.network(), (await usageOf(client)) ?? assert.fail(), await kernel.network()];
          const { networkRxBytes: rx, networkTxBytes: tx } = usage;
          assert.ok(rx !== null && tx !== null && rx > 1_000_000);
          assert.ok(rx >= least.rxBytes && rx <= most.rxBytes && tx >= least.txBytes && tx <= most.txBytes);
          return least.rxBytes === most.rxBytes && least.txBytes === most.txBytes;
        });
        await remove(server, client);
      });

      it("reports what went to and from disks, as the kernel counts it", async () => {
        const id = await run("disk", await countDisk(engine));
        await engine.docker("exec", id, "sh", "-c", "dd if=/dev/zero of=/tmp/x bs=1M count=5 conv=fsync");
        const kernel = kernelCounters(engine, id);
        await until(async () => {
          const [least, usage, most] = [kernel.disk(), (await usageOf(id)) ?? assert.fail(), kernel.disk()];
          assert.ok((usage.diskWriteBytes ?? -1) >= (least?.writeBytes ?? -1));
          const reported = usage.diskWriteBytes === null ? undefined : { readBytes: usage.diskReadBytes, writeBytes: usage.diskWriteBytes };
          return JSON.stringify(reported) === JSON.stringify(most);
        });
        const counted = kernel.disk();
        assert.ok(counted === undefined || counted.writeBytes >= 5_000_000, JSON.stringify(counted));
        await remove(id);
      });

      it("reports what each may use, and takes over what is changed", async () => {
        const limited = await run("limited", ["--cpus", "0.5", "--memory", "64m"]);
        const pinned = await run("pinned", ["--cpuset-cpus", "0"]);
        const free = await run("free");
        const mayUse = async (id: string): Promise<unknown[]> => {
          const usage = await usageOf(id);
          return [usage?.allocatedCpus, usage?.memoryLimitBytes];
        };
        assert.deepEqual(await mayUse(limited), [0.5, 67_108_864]);
        assert.deepEqual(await mayUse(pinned), [1, totalmem()]);
        assert.deepEqual(await mayUse(free), [cpus().length, totalmem()]);
        await engine.docker("update", "--cpus", "0.25", limited);
        assert.deepEqual(await mayUse(limited), [0.25, 67_108_864]);
        await remove(limited, pinned, free);
      });

      it("reports nothing of what does not run, and no network where it has no own network", async () => {
        const paused = await run("paused", ["--network", "none"]);
        const ended = await run("ended");
        const joined = await run("joined", ["--network", `container:${paused}`]);
        const oneOff = await run("one-off", ["--label", "com.docker.compose.oneoff=True"]);
        await engine.docker("pause", paused);
        await engine.docker("kill", ended);
        const reported = await runtime.stats(signal);
        const of = (id: string): ContainerUsage | undefined => reported.find(({ externalId }) => externalId === id);
        assert.deepEqual([of(ended), of(oneOff)], [undefined, undefined]);
        assert.deepEqual([of(paused)?.networkRxBytes, of(joined)?.networkRxBytes], [null, null]);
        assert.ok((of(paused)?.memoryBytes ?? 0) > 0 && (of(paused)?.cpuNanoseconds ?? 0) > 0);
        await engine.docker("start", ended);
        const again = await usageOf(ended);
        assert.ok((again?.memoryBytes ?? 0) > 0);
        await remove(joined, paused, ended, oneOff);
      });
    });
  }
});

/** What does not come from the kernel's files is missing behind it. */
async function proxyWithoutStats(engine: TestEngine): Promise<http.Server> {
  const socketPath = engine.host.replace("unix://", "");
  const proxy = http.createServer((request, response) => {
    if (/\/stats(\?|$)/.test(request.url ?? "")) return void response.writeHead(403).end("Forbidden");
    const onward = http.request({ socketPath, path: request.url, method: request.method }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return proxy;
}

function addressOf(server: http.Server): string {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `tcp://127.0.0.1:${address.port}`;
}
