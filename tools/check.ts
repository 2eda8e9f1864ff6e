/** `npm run check`: everything that a program can find wrong without running ours. All checks run even when one fails. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const NODE = process.execPath;
const BIN = join(ROOT, "node_modules/.bin");

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["types", join(BIN, "tsc"), "--noEmit", "-p", ".", "--incremental", "--tsBuildInfoFile", "dist/.types"],
  ["types of the web app", join(BIN, "tsc"), "--noEmit", "-p", "web", "--incremental", "--tsBuildInfoFile", "dist/.web-types"],
  [
    "types of the service worker",
    join(BIN, "tsc"),
    "--noEmit",
    "-p",
    "web/src/worker",
    "--incremental",
    "--tsBuildInfoFile",
    "dist/.worker-types",
  ],
  ["lint", join(BIN, "oxlint"), "--deny-warnings", "--report-unused-disable-directives"],
  ["format", join(BIN, "oxfmt"), "--check"],
  ["imports", NODE, "tools/check-imports.ts"],
  ["lengths of functions", NODE, "tools/check-functions.ts"],
  ["words", NODE, "tools/check-words.ts"],
  ["unused files, exports and dependencies", join(BIN, "knip"), "--no-progress"],
  ["wire between agents and servers", NODE, "tools/check-proto.ts"],
  ["generated files", NODE, "tools/generate.ts", "--check"],
];

let failures = 0;
for (const [name, command, ...args] of CHECKS) {
  const startedMs = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"}  ${name}  ${seconds} s`);
  if (status === 0) continue;
  failures += 1;
  console.log(`${stdout}${stderr}`.trimEnd().replace(/^/gm, "      "));
}
if (failures > 0) console.log(`\n${failures} of ${CHECKS.length} checks failed`);
process.exitCode = failures > 0 ? 1 : 0;
