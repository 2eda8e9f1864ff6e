/** `npm run check`: everything that a program can find wrong without running ours. All checks run even when one fails. */
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const NODE = process.execPath;
const BIN = join(ROOT, "node_modules/.bin");

/** One checker works least, since each more checks again what the others know; another check runs beside it instead. */
const TYPES = [join(BIN, "tsc"), "--noEmit", "--incremental", "--checkers", "1"] as const;

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["types", ...TYPES, "-p", ".", "--tsBuildInfoFile", "dist/.types"],
  ["types of the web app", ...TYPES, "-p", "web", "--tsBuildInfoFile", "dist/.web-types"],
  ["types of the service worker", ...TYPES, "-p", "web/src/worker", "--tsBuildInfoFile", "dist/.worker-types"],
  ["lint", join(BIN, "oxlint"), "--deny-warnings", "--report-unused-disable-directives"],
  ["format", join(BIN, "oxfmt"), "--check"],
  ["imports", NODE, "tools/check-imports.ts"],
  ["notes of folders", NODE, "tools/check-folders.ts"],
  ["lengths of functions", NODE, "tools/check-functions.ts"],
  ["words", NODE, "tools/check-words.ts"],
  ["unused files, exports and dependencies", join(BIN, "knip"), "--no-progress"],
  ["wire between agents and servers", NODE, "tools/check-proto.ts"],
  ["generated files", NODE, "tools/generate.ts", "--check"],
];

const waiting = [...CHECKS];
const lanes = await Promise.all(Array.from({ length: availableParallelism() }, countFailures));
const failures = lanes.reduce((sum, each) => sum + each, 0);
if (failures > 0) console.log(`\n${failures} of ${CHECKS.length} checks failed`);
process.exitCode = failures > 0 ? 1 : 0;

/** Runs one check after the other until none waits. */
async function countFailures(): Promise<number> {
  let count = 0;
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) if (!(await passes(check))) count += 1;
  return count;
}

function passes([name, command, ...args]: (typeof CHECKS)[number]): Promise<boolean> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    execFile(command, args, { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      const output = error === null ? "" : `\n${`${stdout}${stderr}`.trimEnd().replace(/^/gm, "      ")}`;
      console.log(`${error === null ? "ok  " : "FAIL"}  ${name}  ${seconds} s${output}`);
      resolve(error === null);
    });
  });
}
