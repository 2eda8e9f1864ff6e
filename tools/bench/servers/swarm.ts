/** The whole program over an engine whose address is given as argument. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { createDockerRuntime } from "../../../src/runtimes/docker/index.ts";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { residentBytes, serveQuestions } from "../questions.ts";

const port = await sparePort();
const start = parseConfig({
  argv: [],
  env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_DATA_DIR: temporaryFolder(), SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" },
});
if (!("config" in start)) throw new Error("no configuration");
const server = createServer({
  config: start.config,
  build: { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined },
  runtime: createDockerRuntime({ host: process.argv[2] ?? "", clock: systemClock }),
  webRoot: "dist/web",
  clock: systemClock,
  log: silentLog,
});
await server.start();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let last = process.threadCpuUsage();

serveQuestions(port, {
  /** CPU time of the main thread, and how long the event loop was held up at most, since the last time of asking. */
  mainThread() {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const longestMs = delay.max / 1e6;
    delay.reset();
    return { cpuMs: (user + system) / 1000, longestMs };
  },
  memory: () => ({ bytes: residentBytes(process.pid) }),
});
