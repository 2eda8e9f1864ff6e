import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { type BuildInfo, buildInfo } from "../config/build.ts";
import { type Config, parseConfig } from "../config/config.ts";
import { messageOf, StartError } from "../platform/errors.ts";

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Runs the command that was asked for; resolves to the exit code, and has printed a failure. `webRoot` is the folder of the built web app. */
export async function runCommand(webRoot: string): Promise<number> {
  // What any command keeps may hold keys, and log lines of other programs: it is for this user's eyes.
  process.umask(0o077);
  try {
    return await command(webRoot);
  } catch (error) {
    const expected = error instanceof StartError;
    process.stderr.write(
      expected
        ? `binnacle: ${error.message}\n`
        : `binnacle failed: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
    );
    return expected ? EXIT_USAGE : EXIT_FAILURE;
  }
}

async function command(webRoot: string): Promise<number> {
  const build = buildInfo();
  const start = parseConfig();
  switch (start.command) {
    case "help":
      process.stdout.write((await import("../config/help.ts")).helpText());
      return 0;
    case "version":
      process.stdout.write(`binnacle ${build.version}\n`);
      return 0;
    case "serve":
      if (start.config.mode === "agent") {
        // An agent answers no requests: it need not be fast, and takes a sixth less memory. See docs/benchmarks.md.
        setFlagsFromString("--optimize-for-size");
        return (await import("./run-agent.ts")).runAgent(start.config, start.warnings, build);
      }
      if (start.config.mcpStdio) {
        for (const warning of start.warnings) process.stderr.write(`binnacle: ${warning}\n`);
        return (await import("./mcp-stdio/bridge.ts")).runMcpStdio({ dataDir: start.config.dataDir });
      }
      return serve(start.config, start.warnings, { build, webRoot });
    case "healthcheck":
      return (await import("./healthcheck.ts")).healthcheck(start.config);
    case "doctor":
      return (await import("./doctor.ts")).doctor(start.config, start.warnings, build);
    case "backup":
      return (await import("./store-commands.ts")).backup(start.config, start.file, build);
    case "restore":
      return (await import("./store-commands.ts")).restore(start.config, start.file);
    case "copy-store":
      return (await import("./store-commands.ts")).copyStore(start.config);
    case "license":
      return (await import("./license.ts")).showLicense(start.config, build);
  }
}

/** The modules that serving loads, one after another, so that requests are answered in between. */
const PIECES = [() => import("../http/server.ts"), () => import("./open-runtime.ts"), () => import("./server.ts")];

/** Serves in embedded or server mode, or a demo. The port is open before the rest is loaded. */
async function serve(config: Config, warnings: readonly string[], about: { build: BuildInfo; webRoot: string }): Promise<number> {
  const listener = await (await import("./open-port.ts")).openPort(config, about.build);
  try {
    for (const load of PIECES) {
      // A connection, its request and its answer are a turn each.
      for (let turns = 0; turns < 3; turns += 1) await setImmediate();
      await load();
    }
    const parts = { ...about, listener };
    if (config.demo) return await (await import("../demo/run.ts")).runDemo(config, warnings, parts);
    return await (await import("./run.ts")).run(config, warnings, parts);
  } finally {
    await listener.close();
  }
}
