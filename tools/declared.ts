import { createServer } from "../src/app/server.ts";
import { parseConfig } from "../src/config/config.ts";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import type { Route } from "../src/http/route.ts";
import { createFakeRuntime } from "../test/support/fake-runtime.ts";

/** The routes of the program, of which nothing is started. */
export function declaredByServer(): readonly Route[] {
  const start = parseConfig({ argv: [], env: { SERVICE_DATA_DIR: "data" } });
  if (!("config" in start)) throw new Error("no configuration");
  const server = createServer({
    config: start.config,
    build: { version: "0.0.0", builtAt: new Date(0), publicKeyPem: undefined },
    runtime: createFakeRuntime(0),
    webRoot: "",
    clock: systemClock,
    log: silentLog,
  });
  return server.routes;
}
