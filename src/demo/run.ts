import { openBindWarning } from "../app/open-bind.ts";
import { runUntilStopped } from "../app/run-until-stopped.ts";
import { createServer } from "../app/server.ts";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { createDemoEditions } from "../editions/index.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createDemoChecks } from "./checks.ts";
import { demoConfig } from "./config.ts";
import { makeDemoFolder } from "./folder.ts";
import { writeHistory } from "./history/index.ts";
import { createDemoHostReader } from "./host.ts";
import { startJobs } from "./jobs.ts";
import { createDemoOutbound } from "./outbound.ts";
import { createDemoRuntime } from "./runtime.ts";
import { createDemoUplink } from "./uplink.ts";
import { OFFICE_HOST, SHOP_HOST } from "./world/containers.ts";
import { UPDATED_MS_AGO } from "./world/story.ts";

/** Serves the whole product over made-up data until told to stop; resolves to the exit code. What it keeps meanwhile goes with it. */
export async function runDemo(asked: Config, warnings: readonly string[], build: BuildInfo, webRoot: string): Promise<number> {
  const log = createLog({ level: asked.logLevel, format: asked.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const folder = makeDemoFolder();
  process.once("exit", folder.remove);
  try {
    const clock = systemClock;
    const nowMs = clock.now().getTime();
    const updatedMs = nowMs - UPDATED_MS_AGO;
    const config = demoConfig(asked, folder.path);
    await writeHistory(config.databasePath, { nowMs, updatedMs, version: build.version, clock });
    const server = createServer({
      ...{ config, build, webRoot, clock, log },
      runtime: createDemoRuntime({ host: SHOP_HOST, updatedMs, clock }),
      outside: {
        editions: createDemoEditions(),
        openChecks: ({ sink }) => createDemoChecks({ sink, updatedMs, clock }),
        outbound: createDemoOutbound(),
        host: createDemoHostReader(SHOP_HOST, clock),
        openListener: (parts) =>
          createDemoUplink({
            ...parts,
            host: OFFICE_HOST,
            updatedMs,
            version: build.version,
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
      log.info({ url, version: build.version }, "serving a demo: all data is made up, and nothing is stored");
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
