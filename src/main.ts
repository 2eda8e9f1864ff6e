#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { buildInfo } from "./config/build.ts";
import { parseConfig } from "./config/config.ts";
import { messageOf, StartError } from "./platform/errors.ts";

const isBuilt = !import.meta.url.endsWith(".ts");
// Beside the program and not in a folder that other users can write; where that cannot be written, Node does without.
if (isBuilt) enableCompileCache(new URL(".compile-cache", import.meta.url).pathname);

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

try {
  process.exitCode = await main();
} catch (error) {
  const expected = error instanceof StartError;
  process.stderr.write(
    expected
      ? `binnacle: ${error.message}\n`
      : `binnacle failed: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
  );
  process.exitCode = expected ? EXIT_USAGE : EXIT_FAILURE;
}

async function main(): Promise<number> {
  const build = buildInfo();
  const start = parseConfig();
  switch (start.command) {
    case "help":
      process.stdout.write((await import("./config/help.ts")).helpText());
      return 0;
    case "version":
      process.stdout.write(`binnacle ${build.version}\n`);
      return 0;
    case "serve":
      return (await import("./app/run.ts")).run(start.config, start.warnings, build, webRoot());
    case "healthcheck":
      return (await import("./app/healthcheck.ts")).healthcheck(start.config);
    case "doctor":
      return (await import("./app/doctor.ts")).doctor(start.config, start.warnings, build);
    case "license":
      return (await import("./app/license.ts")).showLicense(start.config, build);
  }
}

/** Beside the bundle when built; run from source, where the build puts it. */
function webRoot(): string {
  return new URL(isBuilt ? "./web" : "../dist/web", import.meta.url).pathname;
}
