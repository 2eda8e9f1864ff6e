import type { BuildInfo } from "../config/build.ts";
import { type Config, parseConfig } from "../config/config.ts";
import { modeRefusal } from "../editions/index.ts";
import { systemClock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import { createLog } from "../platform/log.ts";
import { openRuntime } from "./open-runtime.ts";
import { createServer } from "./server.ts";

/** Serves until told to stop; resolves to the exit code. */
export async function run(config: Config, warnings: readonly string[], build: BuildInfo, webRoot: string): Promise<number> {
  // What is kept here holds log lines of other programs: it is for this user's eyes.
  process.umask(0o077);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const server = createServer({ config, build, runtime: openRuntime(config, systemClock), webRoot, clock: systemClock, log });
  const refusal = modeRefusal(config.mode, server.editions.edition());
  if (refusal !== undefined) throw new StartError(refusal);

  const stopped = Promise.withResolvers<number>();
  const stop = (signal: string): void => {
    log.info({ signal }, "stopping");
    server.stop().then((unclean) => stopped.resolve(unclean.length === 0 ? 0 : 1), stopped.reject);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop(signal));
  process.on("SIGHUP", () => {
    try {
      const again = parseConfig();
      if ("config" in again) server.editions.reload(again.config.licenseKey?.reveal());
    } catch (error) {
      log.error({ reason: messageOf(error) }, "licence key not read again");
    }
  });

  const { url } = await server.start();
  log.info({ url, version: build.version, database: config.databaseUrl === undefined ? config.databasePath : "postgresql" }, "serving");
  return stopped.promise;
}
