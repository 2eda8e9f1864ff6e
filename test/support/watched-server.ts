import assert from "node:assert/strict";
import { createServer } from "../../src/app/server.ts";
import { buildInfo } from "../../src/config/build.ts";
import { parseConfig } from "../../src/config/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createFakeRuntime } from "./fake-runtime.ts";
import { sparePort } from "./postgres.ts";
import { temporaryFolder } from "./program.ts";
import type { Served } from "./web-story.ts";

/** The whole server in this process, over a runtime that is made up, by default without containers: it knows at once what runs, so that alerts wait for nothing. */
export async function startWatchedServer(env: Readonly<Record<string, string>>, runtime = createFakeRuntime(0)): Promise<Served> {
  const address = `127.0.0.1:${await sparePort()}`;
  const start = parseConfig({ argv: [], env: { ...env, SERVICE_ADDR: address, SERVICE_DATA_DIR: temporaryFolder() } });
  assert.ok("config" in start, JSON.stringify(start));
  const server = createServer({
    config: start.config,
    build: buildInfo(),
    runtime,
    webRoot: "dist/web",
    clock: systemClock,
    log: silentLog,
  });
  await server.start();
  return { url: `http://${address}`, stop: () => server.stop() };
}
