import { hostname } from "node:os";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createAgent } from "./agent.ts";
import { openRuntime } from "./open-runtime.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

const EXIT_REFUSED = 2;

/** Watches this host for a server until it is stopped; resolves to the exit code. */
export async function runAgent(config: Config, warnings: readonly string[], build: BuildInfo): Promise<number> {
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const runtime = await openRuntime(config, { clock: systemClock, log, identity: hostname() });
  const agent = createAgent({ config, build, runtime, clock: systemClock, log });
  // One that was revoked stays, and is silent: if it ended, whatever restarts it would have it ask again and again.
  const ended = agent.ended.then(({ code }) => (code === "agent_revoked" ? new Promise<never>(() => {}) : EXIT_REFUSED));
  async function start(): Promise<void> {
    await agent.start();
    log.info({ version: build.version, data: config.dataDir }, "watching for the server");
  }
  return runUntilStopped({ start, stop: agent.stop, ended }, log);
}
