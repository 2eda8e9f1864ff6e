import { type Config, parseConfig } from "../config/config.ts";
import { serverModeRefusal } from "../editions/index.ts";
import { systemClock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import { createLog } from "../platform/log.ts";
import { openBindWarning } from "./open-bind.ts";
import { openRuntime } from "./open-runtime.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { createServer } from "./server.ts";
import type { ServerDependencies } from "./ground.ts";

/** What is there before the rest of the program is loaded. */
export type RunParts = Required<Pick<ServerDependencies, "build" | "webRoot" | "listener">>;

/** Serves until it is stopped, in embedded or server mode; resolves to the exit code. */
export async function run(config: Config, warnings: readonly string[], given: RunParts): Promise<number> {
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const isWatched = config.mode === "embedded" || config.embeddedAgent;
  const runtime = isWatched ? await openRuntime(config, { clock: systemClock, log }) : undefined;
  const server = createServer({ ...given, config, runtime, clock: systemClock, log });
  const refusal = config.mode === "server" ? serverModeRefusal(server.editions.edition()) : undefined;
  if (refusal !== undefined) throw new StartError(refusal);

  process.on("SIGHUP", () => {
    try {
      const again = parseConfig();
      if ("config" in again) server.editions.reload(again.config.licenseKey?.reveal());
    } catch (error) {
      log.error({ reason: messageOf(error) }, "licence key not read again");
    }
  });
  async function start(): Promise<void> {
    const { url } = await server.start();
    if (url === "") return;
    const openBind = openBindWarning(config);
    if (openBind !== undefined) log.warn({ url }, `no login: ${openBind}`);
    log.info(
      { url, version: given.build.version, database: config.databaseUrl === undefined ? config.databasePath : "postgresql" },
      "serving",
    );
  }
  const ended = server.takenOver.then(() => {
    log.error({}, "another server has taken the database over: ending, to be started again as a standby");
    return 1;
  });
  return runUntilStopped({ start, stop: server.stop, ended }, log);
}
