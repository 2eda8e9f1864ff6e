/**
 * `npm test [-- PATTERN...]`: runs the tests whose path contains a pattern, all by default, with the real parts they need.
 * Each part is started once for the whole run. Without a part its tests are left out and named; with CI=true that is a failure.
 * Files run one after another in two lanes: those that share the engine; and beside them `*.aside.test.ts`, with engines and hosts of their own, then all others.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { LICENSES, makePair } from "./license.ts";
import { findPath } from "./imports/graph.ts";
import { readSourceFile } from "./imports/source-file.ts";
import { runLanes } from "./test-lanes.ts";
import { installMissing, PARTS, type Part } from "./test-parts.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["{src,test,tools}/**/*.ts", "web/src/**/*.{ts,tsx}"];
const TIMEOUT_MS = 600_000;
const ASIDE_TIMEOUT_MS = 900_000;

interface TestFile {
  path: string;
  parts: Part[];
}

process.exitCode = await main(process.argv.slice(2));

async function main(patterns: readonly string[]): Promise<number> {
  const files = testFiles().filter(({ path }) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)));
  if (files.length === 0) {
    console.error(`no test file has ${patterns.join(" or ")} in its path`);
    return 1;
  }
  const needed = PARTS.filter((part) => files.some(({ parts }) => parts.includes(part)));
  installMissing(needed);
  const absent = needed.filter((part) => part.missing().length > 0);
  for (const part of absent) {
    console.error(`${part.name} is not here (missing: ${part.missing().join(", ")}; Debian: ${part.packages.join(" ")}). Left out:`);
    for (const { path, parts } of files) if (parts.includes(part)) console.error(`  ${path}`);
  }
  if (absent.length > 0 && process.env["CI"] === "true") return 1;

  const runnable = files.filter(({ parts }) => !parts.some((part) => absent.includes(part)));
  if (runnable.length === 0) return 1;
  // Stories run the production build, some with a licence that it has to know.
  if (runnable.some(({ path }) => path.startsWith("test/"))) {
    makePair(LICENSES);
    await build({ ifStale: true });
  }
  return withParts(
    needed.filter((part) => !absent.includes(part)),
    (variables) => runTests(runnable, variables),
  );
}

/** Every test file, with the parts that its imports lead to. */
function testFiles(): TestFile[] {
  const sources = globSync(SOURCES, { cwd: ROOT })
    .sort()
    .map((path) => readSourceFile(ROOT, path, readFileSync(join(ROOT, path), "utf8")));
  return sources
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .map(({ path }) => ({
      path,
      parts: PARTS.filter(({ support }) => findPath(sources, path, (target) => target === support) !== undefined),
    }));
}

/** Starts the parts, runs, and stops them whatever happens. */
async function withParts(parts: readonly Part[], run: (variables: Record<string, string>) => Promise<number>): Promise<number> {
  const running: { stop(): Promise<void> }[] = [];
  const variables: Record<string, string> = {};
  try {
    for (const part of parts) {
      if (part.start === undefined) continue;
      const started = await part.start();
      running.push(started);
      variables[started.variable] = started.value;
    }
    return await run(variables);
  } finally {
    for (const part of running.reverse()) await part.stop();
  }
}

async function runTests(files: readonly TestFile[], variables: Readonly<Record<string, string>>): Promise<number> {
  // What the person running the tests has set for the program or for Docker is not meant for the tests.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SERVICE_") && !name.startsWith("DOCKER_"));
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const kinds = Object.groupBy(files, kindOf);
  const pathsOf = (kind: readonly TestFile[] = []): string[] => kind.map(({ path }) => join(ROOT, path));
  return runLanes(
    [
      { files: pathsOf(kinds.engine), timeoutMs: TIMEOUT_MS },
      { files: [...pathsOf(kinds.aside), ...pathsOf(kinds.other)], timeoutMs: ASIDE_TIMEOUT_MS },
    ],
    { ...Object.fromEntries(inherited), ...variables },
    stopping.signal,
  );
}

function kindOf({ path, parts }: TestFile): "engine" | "aside" | "other" {
  if (/\.aside\.test\.tsx?$/.test(path)) return "aside";
  return parts.some(({ name }) => name === "Docker Engine") ? "engine" : "other";
}
