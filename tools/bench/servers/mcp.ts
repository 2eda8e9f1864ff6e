/** The whole program with MCP, over a runtime that shows so many containers, on a data folder: `mcp.js COUNT FOLDER CLIENT SECRET`. */
import { createFakeRuntime } from "../../../test/support/fake-runtime.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { serveQuestions } from "../questions.ts";

const [count, folder = "", clientId = "", clientSecret = ""] = process.argv.slice(2);
const port = await sparePort();
const start = parseConfig({
  argv: [],
  env: {
    SERVICE_ADDR: `127.0.0.1:${port}`,
    SERVICE_DATA_DIR: folder,
    SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    SERVICE_MCP: "true",
    SERVICE_MCP_CLIENT_ID: clientId,
    SERVICE_MCP_CLIENT_SECRET: clientSecret,
  },
});
if (!("config" in start)) throw new Error("no configuration");
const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined };
const runtime = createFakeRuntime(Number(count));
const server = createServer({ config: start.config, build, runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
await server.start();
serveQuestions(port);
