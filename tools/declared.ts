import { createServer } from "../src/app/server.ts";
import { parseConfig } from "../src/config/config.ts";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import type { Route } from "../src/http/route.ts";
import type { Tool } from "../src/mcp/tool.ts";
import { refuseLooseObjects } from "./loose-objects.ts";

interface Declared {
  routes: readonly Route[];
  tools: readonly Tool[];
}

/** The routes and the tools of the program with everything switched on, of which nothing is started. */
export function declaredByServer(): Promise<Declared> {
  return declaredWith({
    SERVICE_ADMIN_TOKEN: "unused-and-of-no-use",
    SERVICE_MCP: "true",
    SERVICE_MCP_CLIENT_ID: "assistant",
    SERVICE_MCP_CLIENT_SECRET: "unused-and-of-no-use",
  });
}

/** The same with these settings. */
export async function declaredWith(settings: Readonly<Record<string, string>>): Promise<Declared> {
  const env = { SERVICE_DATA_DIR: "data", ...settings };
  const start = parseConfig({ argv: [], env });
  if (!("config" in start)) throw new Error("no configuration");
  const server = createServer({
    config: start.config,
    build: { version: "0.0.0", builtAt: new Date(0), publicKeyPem: undefined },
    runtime: undefined,
    webRoot: "",
    clock: systemClock,
    log: silentLog,
  });
  server.routes.forEach(refuseLooseObjects);
  return { routes: server.routes, tools: await server.tools() };
}
