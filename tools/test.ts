/**
 * `npm test [-- PATTERN...]`: runs the tests whose path contains a pattern, all by default, with the real parts they need.
 * Each part is started once for the whole run. Without a part its tests are left out and named; with CI=true that is a failure.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { findPath } from "./imports/graph.ts";
import { readSourceFile } from "./imports/source-file.ts";
import { installMissing, PARTS, type Part } from "./test-parts.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["{src,test,tools}/**/*.ts", "web/src/**/*.{ts,tsx}"];
const NODE_TEST = ["--test", "--test-reporter=spec", "--test-concurrency=1", "--test-timeout=600000"];

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
  // Stories run the production build.
  if (runnable.some(({ path }) => path.startsWith("test/"))) await build({ ifStale: true });
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
  const child = spawn(process.execPath, [...NODE_TEST, ...files.map(({ path }) => path)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...Object.fromEntries(inherited), ...variables },
  });
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGINT", passOn);
  process.on("SIGTERM", passOn);
  await once(child, "exit");
  return child.exitCode ?? 1;
}
