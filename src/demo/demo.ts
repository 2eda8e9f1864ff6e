import { randomBytes } from "node:crypto";
import type { RunParts } from "../app/run.ts";
import { createServer } from "../app/server.ts";
import { type Config, parseConfig } from "../config/config.ts";
import { createDemoEditions } from "../editions/index.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { type Outbound, OutboundError } from "../platform/outbound.ts";
import { createDemoChecks } from "./checks.ts";
import { writeHistory } from "./history/index.ts";
import { createDemoHostReader } from "./host.ts";
import { openDemoImages } from "./images.ts";
import { startJobs } from "./jobs.ts";
import { createDemoRuntime } from "./runtime.ts";
import { createDemoUplink } from "./uplink.ts";
import { OFFICE_HOST, SHOP_HOST } from "./world/containers.ts";
import { UPDATED_MS_AGO } from "./world/story.ts";

export interface DemoOptions {
  /** What was asked for of the web interface and the log. */
  asked: Config;
  /** Where its data is kept; nothing else is in it. */
  folder: string;
  given: RunParts;
  /** All that is made up goes by it: at the same time the same is shown. */
  clock: Clock;
  log: Log;
}

export interface Demo {
  /** The options it runs with. */
  config: Config;
  /** Answers where it listens; empty when it was stopped meanwhile. */
  start(): Promise<{ url: string }>;
  /** Answers what did not stop cleanly. */
  stop(): Promise<string[]>;
}

/** The whole product over made-up data: writes the history of a year, and creates the server that continues from there. */
export async function createDemo({ asked, folder, given, clock, log }: DemoOptions): Promise<Demo> {
  const { version } = given.build;
  const nowMs = clock.now().getTime();
  const updatedMs = nowMs - UPDATED_MS_AGO;
  const config = demoConfig(asked, folder);
  await writeHistory(config.databasePath, { nowMs, updatedMs, version, clock });
  const server = createServer({
    ...{ ...given, config, clock, log },
    runtime: createDemoRuntime({ host: SHOP_HOST, updatedMs, clock }),
    outside: {
      editions: createDemoEditions(),
      openChecks: ({ sink }) => createDemoChecks({ sink, updatedMs, clock }),
      outbound: createDemoOutbound(),
      images: openDemoImages({ nowMs, clock, pauses: true }),
      host: createDemoHostReader(SHOP_HOST, { updatedMs, clock }),
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
  return {
    config,
    async start() {
      const started = await server.start();
      if (started.url !== "") jobs = startJobs({ routes: server.routes, clock, log });
      return started;
    },
    stop() {
      jobs?.stop();
      return server.stop();
    },
  };
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

/** Accepts every message and sends none: messages of channels and webhooks count as delivered, and requests get no answer. */
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
