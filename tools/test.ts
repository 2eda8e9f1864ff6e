/**
 * `npm test [-- PATTERN...]`: runs the test files whose path contains a pattern, all by default, with the real parts they need.
 *   --changed        only files that import, directly or not, what changed since the last commit, or with it when nothing did;
 *                    `--since COMMIT` since that one
 *   --repeat N       each file N times, to hunt a test that fails now and then
 *   --long           long repetitions on real parts (`npm run stories`): of all files, those where they make a difference
 *   --lanes N        how many files run at the same time
 * Without a part its tests are left out and named; with CI=true that is a failure.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { findReachingTests } from "./imports/reach.ts";
import type { LinkedFile } from "./imports/source-file.ts";
import { LICENSES, makePair } from "./license.ts";
import { installMissing, ISOLATION, PARTS } from "./test-parts.ts";
import { type Arguments, readArguments } from "./testing/arguments.ts";
import { changedFiles } from "./testing/changed-files.ts";
import { costTable } from "./testing/costs.ts";
import { canIsolate, isIsolated } from "./testing/isolation.ts";
import { planJobs, type TestFile } from "./testing/jobs.ts";
import { runLanes } from "./testing/lanes.ts";
import { longFormOf, readSources, testFilesOf } from "./testing/test-files.ts";

const ROOT = join(import.meta.dirname, "..");
/** Kept between runs, and gone with `npm ci`: compiled sources, and the results of the last run: its summary, and the CPU time of every file (`costs.txt`). */
const CACHE = join(ROOT, "node_modules/.cache/binnacle");

process.exitCode = await main(readArguments(process.argv.slice(2)));

async function main({ patterns, changedSince, repeat, long, lanes }: Arguments): Promise<number> {
  const sources = readSources();
  const longForm = longFormOf(sources);
  const isWanted = ({ path }: TestFile): boolean =>
    patterns.length === 0 ? !long || longForm.differs(path) : patterns.some((pattern) => path.includes(pattern));
  const named = testFilesOf(sources).filter((file) => (long || !longForm.only(file.path)) && isWanted(file));
  if (named.length === 0) {
    console.error(`no test file has ${patterns.join(" or ")} in its path`);
    return 1;
  }
  const files = changedSince === undefined ? named : reachedBy(changedSince, sources, named);
  if (files.length === 0) return 0;
  const runnable = withoutAbsentParts(files);
  if (runnable.length === 0) return 1;
  if (!isIsolated() && !canIsolate()) console.error("no namespaces here: tests share the ports of this machine with other programs");
  // Stories run the production build, some with a licence that it has to know.
  if (runnable.some(({ path }) => path.startsWith("test/"))) {
    makePair(LICENSES);
    await build({ ifStale: true });
  }
  mkdirSync(CACHE, { recursive: true });
  const forgiven = join(CACHE, "forgiven.jsonl");
  writeFileSync(forgiven, "");
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
  const plan = planJobs(runnable);
  const { success, summary, costs } = await runLanes({
    jobs: Array.from({ length: repeat }, () => plan).flat(),
    lanes,
    env: {
      ...inheritedEnvironment(),
      NODE_COMPILE_CACHE: join(CACHE, "compile"),
      BINNACLE_TEST_FORGIVEN: forgiven,
      ...(long && { BINNACLE_TEST_LONG: "1" }),
    },
    signal: stopping.signal,
  });
  const needed = readFileSync(forgiven, "utf8").split("\n").filter(Boolean);
  const count = `forgiven ${needed.length}`;
  for (const line of [count, ...needed]) console.log(`ℹ ${line}`);
  writeFileSync(join(CACHE, "costs.txt"), costTable(costs));
  writeFileSync(join(CACHE, "summary.txt"), [...summary, count].map((line) => `ℹ ${line}\n`).join(""));
  return success && (needed.length === 0 || process.env["CI"] !== "true") ? 0 : 1;
}

/** The files that can reach what changed by imports. Stories that run the whole program are named instead: they take minutes. */
function reachedBy(commit: string, sources: readonly LinkedFile[], files: readonly TestFile[]): readonly TestFile[] {
  const uncommitted = changedFiles(ROOT, commit);
  const [since, changed] = uncommitted.length > 0 || commit !== "HEAD" ? [commit, uncommitted] : ["HEAD~1", changedFiles(ROOT, "HEAD~1")];
  console.log(`changed since ${since}: ${changed.length === 0 ? "nothing" : changed.join(", ")}`);
  const reached = findReachingTests(sources, changed);
  if (reached === "all") {
    console.log("one of these can change any test, so all run");
    return files;
  }
  const stories = reached.filter(({ byProgram }) => byProgram);
  if (stories.length > 0) console.log(`not run: ${stories.length} files that start the whole program`);
  const direct = new Set(reached.filter(({ byProgram }) => !byProgram).map(({ path }) => path));
  return files.filter(({ path }) => direct.has(path));
}

/** The files whose parts are here or could be installed; names the others. None when some are absent and CI=true. */
function withoutAbsentParts(files: readonly TestFile[]): readonly TestFile[] {
  const needed = PARTS.filter((part) => files.some(({ parts }) => parts.includes(part)));
  installMissing([ISOLATION, ...needed]);
  const absent = needed.filter((part) => part.missing().length > 0);
  for (const part of absent) {
    console.error(`${part.name} is not here (missing: ${part.missing().join(", ")}; Debian: ${part.packages.join(" ")}). Left out:`);
    for (const { path, parts } of files) if (parts.includes(part)) console.error(`  ${path}`);
  }
  if (absent.length > 0 && process.env["CI"] === "true") return [];
  return files.filter(({ parts }) => !parts.some((part) => absent.includes(part)));
}

/** What the person running the tests has set for the program or for Docker is not meant for the tests. */
function inheritedEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SERVICE_") && !name.startsWith("DOCKER_")));
}
