import { randomBytes } from "node:crypto";
import { openBindWarning } from "../app/open-bind.ts";
import type { RunParts } from "../app/run.ts";
import { runUntilStopped } from "../app/run-until-stopped.ts";
import { createServer } from "../app/server.ts";
import { type Config, parseConfig } from "../config/config.ts";
import { createDemoEditions } from "../editions/index.ts";
import { systemClock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { createLog } from "../platform/log.ts";
import { type Outbound, OutboundError } from "../platform/outbound.ts";
import { createDemoChecks } from "./checks.ts";
import { makeDemoFolder } from "./folder.ts";
import { writeHistory } from "./history/index.ts";
import { createDemoHostReader } from "./host.ts";
import { openDemoImages } from "./images.ts";
import { startJobs } from "./jobs.ts";
import { createDemoRuntime } from "./runtime.ts";
import { createDemoUplink } from "./uplink.ts";
import { OFFICE_HOST, SHOP_HOST } from "./world/containers.ts";
import { UPDATED_MS_AGO } from "./world/story.ts";

/** Serves the whole product over made-up data until told to stop; resolves to the exit code. What it keeps meanwhile goes with it. */
export async function runDemo(asked: Config, warnings: readonly string[], given: RunParts): Promise<number> {
  const { version } = given.build;
  const log = createLog({ level: asked.logLevel, format: asked.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const folder = makeDemoFolder();
  process.once("exit", folder.remove);
  try {
    const clock = systemClock;
    const nowMs = clock.now().getTime();
    const updatedMs = nowMs - UPDATED_MS_AGO;
    const config = demoConfig(asked, folder.path);
    await writeHistory(config.databasePath, { nowMs, updatedMs, version, clock });
    const server = createServer({
      ...{ ...given, config, clock, log },
      runtime: createDemoRuntime({ host: SHOP_HOST, updatedMs, clock }),
      outside: {
        editions: createDemoEditions(),
        openChecks: ({ sink }) => createDemoChecks({ sink, updatedMs, clock }),
        outbound: createDemoOutbound(),
        images: openDemoImages({ nowMs, clock, pauses: true }),
        host: createDemoHostReader(SHOP_HOST, clock),
        openListener: (parts) =>
          createDemoUplink({
            ...parts,
            host: OFFICE_HOST,
            updatedMs,
            version,
            clock,
            log: log.child({ component: "fleet" }),
          }),
      },
    });
    let jobs: ReturnType<typeof startJobs> | undefined;
    async function start(): Promise<void> {
      const { url } = await server.start();
      if (url === "") return;
      jobs = startJobs({ routes: server.routes, clock, log });
      const openBind = openBindWarning(config);
      if (openBind !== undefined) log.warn({ url }, `no login: ${openBind}`);
      log.info({ url, version }, "serving a demo: all data is made up, and nothing is stored");
    }
    function stop(): Promise<string[]> {
      jobs?.stop();
      return server.stop();
    }
    return await runUntilStopped({ start, stop }, log);
  } finally {
    folder.remove();
  }
}

/** What a demo takes of the options: where it listens, who may look, and how it logs. */
const TAKEN = [
  ...["listen", "baseUrl", "adminToken", "allowedHosts", "trustedProxies", "corsOrigins", "maxBodyBytes"],
  ...["mcp", "logLevel", "logFormat", "shutdownSeconds"],
] as const;

/** The options of a demo with its data in a folder: the usual ones, but for what was asked for of the web interface and the log. */
function demoConfig(asked: Config, folder: string): Config {
  const start = parseConfig({
    argv: ["--data-dir", folder, "--mode", "server", "--max-db-bytes", "512M"],
    // In memory alone: nothing is to be opened again.
    env: { SERVICE_SECRET_KEY: randomBytes(32).toString("hex") },
  });
  if (!("config" in start)) throw new Error("a demo is a server");
  const taken = Object.fromEntries(TAKEN.map((name) => [name, asked[name as keyof Config]]));
  // Each of them under its own name, which the compiler cannot follow through entries.
  return { ...start.config, ...(taken as Partial<Config>) };
}

/** Takes every message and sends none: of channels and webhooks all are delivered, and whoever asks for something gets no answer. */
function createDemoOutbound(): Outbound {
  return {
    allowPrivate: false,
    async check(urlText) {
      const url = URL.parse(urlText);
      if (url === null || !/^https?:$/.test(url.protocol)) {
        const message = "Write a URL that begins with https://";
        throw new ServiceError("unusable_values", `The address is not allowed. ${message}.`, [{ path: "url", message }]);
      }
      return url;
    },
    send: async () => ({ status: 200, retryAfterMs: null, headers: {} }),
    async open() {
      throw new OutboundError("This is a demo: nothing outside is asked", "connection");
    },
    stop: () => undefined,
  };
}
