import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findReachingTests } from "../imports/reach.ts";
import { readLinks, type LinkedFile } from "../imports/source-file.ts";
import { PARTS } from "../test-parts.ts";
import type { TestFile } from "./jobs.ts";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = ["{src,test,tools}/**/*.ts", "web/src/**/*.{ts,tsx}"];

/** Every source file of the project with its imports. */
export function readSources(): LinkedFile[] {
  return globSync(SOURCES, { cwd: ROOT })
    .sort()
    .map((path) => readLinks(path, readFileSync(join(ROOT, path), "utf8")));
}

/** Every test file of these sources. */
export function testFilesOf(sources: readonly LinkedFile[]): TestFile[] {
  const users = PARTS.map((part) => ({ part, files: testsThatImport(sources, part.support) }));
  return sources
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .map(({ path }) => ({
      path,
      text: readFileSync(join(ROOT, path), "utf8"),
      parts: users.filter(({ files }) => files.has(path)).map(({ part }) => part),
    }));
}

/** Parts that only the long form has. */
const LONG_ONLY = /\.long\.test\.ts$/;
const REPETITIONS = "test/support/repetitions.ts";

/** Of every test file, those that differ in the long form: they are there for it alone, or import what makes repetitions long. */
export function longFormOf(sources: readonly LinkedFile[]): { only: (path: string) => boolean; differs: (path: string) => boolean } {
  const repeating = testsThatImport(sources, REPETITIONS);
  const only = (path: string): boolean => LONG_ONLY.test(path);
  return { only, differs: (path) => only(path) || repeating.has(path) };
}

/** The test files that import a file, directly or not. */
function testsThatImport(sources: readonly LinkedFile[], path: string): Set<string> {
  const reached = findReachingTests(sources, [path], { reads: [], runs: [], everything: [], nothing: [] });
  return new Set(reached === "all" ? [] : reached.map((test) => test.path));
}
