import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBindWarning } from "../app/open-bind.ts";
import type { RunParts } from "../app/run.ts";
import { runUntilStopped } from "../app/run-until-stopped.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createDemo } from "./demo.ts";

/** Serves the demo until it is stopped; resolves to the exit code. What it keeps meanwhile goes with it. */
export async function runDemo(asked: Config, warnings: readonly string[], given: RunParts): Promise<number> {
  const log = createLog({ level: asked.logLevel, format: asked.logFormat });
  for (const warning of warnings) log.warn({ warning }, "option not understood");
  const folder = makeDemoFolder();
  process.once("exit", folder.remove);
  try {
    const demo = await createDemo({ asked, folder: folder.path, given, clock: systemClock, log });
    async function start(): Promise<void> {
      const { url } = await demo.start();
      if (url === "") return;
      const openBind = openBindWarning(demo.config);
      if (openBind !== undefined) log.warn({ url }, `no login: ${openBind}`);
      log.info({ url, version: given.build.version }, "serving a demo: all data is made up, and nothing is stored");
    }
    return await runUntilStopped({ start, stop: demo.stop }, log);
  } finally {
    folder.remove();
  }
}

/** A folder for one demo, for this user alone. Folders of demos that were killed go meanwhile. */
function makeDemoFolder(): { path: string; remove(): void } {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^binnacle-demo-(\d+)-\w+$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(tmpdir(), name));
  }
  const path = mkdtempSync(join(tmpdir(), `binnacle-demo-${process.pid}-`));
  return { path, remove: () => remove(path) };
}

/** Those of other users stay. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"))) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
