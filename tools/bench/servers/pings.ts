/** The whole program with the number of heartbeats given as argument. */
import { createFakeRuntime } from "../../../test/support/fake-runtime.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import type { HeartbeatList } from "../../../src/monitoring/heartbeats/answers.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { serveQuestions } from "../questions.ts";

const port = await sparePort();
const start = parseConfig({
  argv: [],
  env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_DATA_DIR: temporaryFolder(), SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" },
});
if (!("config" in start)) throw new Error("no configuration");
const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined };
const server = createServer({
  config: start.config,
  build,
  runtime: createFakeRuntime(0),
  webRoot: "dist/web",
  clock: systemClock,
  log: silentLog,
});
await server.start();
const heartbeats = `http://127.0.0.1:${port}/api/v1/heartbeats`;

serveQuestions(port, {
  /** Makes so many heartbeats; answers their paths. */
  async make({ make }) {
    for (let number = 0; number < Number(make); number += 1) {
      const body = JSON.stringify({ name: `job ${number}`, interval_seconds: 60 });
      // Another address each time, because of the limits.
      const headers = { "content-type": "application/json", "x-forwarded-for": `10.9.${number >> 8}.${number % 256}` };
      await fetch(heartbeats, { method: "POST", headers, body });
    }
    // The shape is the program's own.
    const list = (await (await fetch(heartbeats)).json()) as HeartbeatList;
    return { paths: list.heartbeats.map(({ uuid }) => `/ping/${uuid}`) };
  },
});
