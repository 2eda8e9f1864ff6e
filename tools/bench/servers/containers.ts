/** The whole program over a runtime that shows the number of containers given as argument. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createFakeRuntime, fakeContainer } from "../../../test/support/fake-runtime.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { pause, systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { serveQuestions } from "../questions.ts";

const runtime = createFakeRuntime(Number(process.argv[2]));
const port = await sparePort();
const start = parseConfig({
  argv: [],
  env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_DATA_DIR: temporaryFolder(), SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" },
});
if (!("config" in start)) throw new Error("no configuration");
const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined };
const server = createServer({ config: start.config, build, runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
await server.start();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

serveQuestions(port, {
  /** How long the event loop was held up at most since the last time of asking. */
  delay() {
    const longestMs = delay.max / 1e6;
    delay.reset();
    return { longestMs };
  },
  /** Puts so many containers into a state. */
  change({ change, state }) {
    const facts = state === "exited" ? ({ state, exitCode: 1 } as const) : ({ state: "running" } as const);
    for (const externalId of [...runtime.containers.keys()].slice(0, Number(change))) runtime.change(externalId, facts);
    return {};
  },
  /** Changes so many containers a second from running to exited or back, for so long. */
  async storm({ storm, lastsMs }) {
    const ids = [...runtime.containers.keys()];
    const startedMs = performance.now();
    for (let changed = 0; performance.now() - startedMs < Number(lastsMs); await pause(systemClock, 20)) {
      const due = Math.floor(((performance.now() - startedMs) / 1000) * Number(storm));
      for (; changed < due; changed += 1) {
        const externalId = ids[changed % ids.length] ?? "";
        const isRunning = runtime.containers.get(externalId)?.state === "running";
        runtime.change(externalId, isRunning ? { state: "exited", exitCode: 0 } : { state: "running" });
      }
    }
    return {};
  },
  /** Breaks the event stream, so that everything is listed again. */
  async reconcile() {
    const listings = runtime.listings;
    runtime.disconnect();
    while (runtime.listings === listings) await pause(systemClock, 20);
    await pause(systemClock, 500);
    return {};
  },
  /** Gives one container another name. */
  rename({ rename }) {
    runtime.change(fakeContainer(1).externalId, { name: String(rename) });
    return {};
  },
});
