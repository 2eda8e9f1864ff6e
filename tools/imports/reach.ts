/** Which tests a change can reach, so that a run of tests can be as small as the change. */
import { dirname } from "node:path";
import { matches } from "./match.ts";
import { type Link, REACH_RULES, type ReachRules } from "./reach-rules.ts";
import type { LinkedFile } from "./source-file.ts";

export interface ReachedTest {
  path: string;
  /** Imports between the test and the nearest changed file; 0 when the test itself changed. */
  distance: number;
  /** Reached only because the test runs the whole program. */
  byProgram: boolean;
}

/** A file that the import graph knows, there or deleted. */
const IS_SOURCE = /^(src|test|tools)\/.*\.ts$|^web\/src\/.*\.tsx?$/;
const IS_TEST = /\.test\.tsx?$/;

/**
 * The test files that can reach changed files by imports or by the rules, nearest first: then those of a changed file's folder, then by name;
 * tests that reach them only by running the whole program come last. `"all"` when a changed file is explained by nothing.
 * Imports of types alone do not count, since they are gone when a test runs. Paths are from the root of the project.
 */
export function findReachingTests(
  files: readonly LinkedFile[],
  changed: readonly string[],
  rules: ReachRules = REACH_RULES,
): ReachedTest[] | "all" {
  const links = [...rules.reads, ...rules.runs];
  const counts = changed.filter((path) => !matches(path, rules.nothing));
  const isExplained = (path: string): boolean => IS_SOURCE.test(path) || links.some((link) => matches(path, link.files));
  if (counts.some((path) => matches(path, rules.everything) || !isExplained(path))) return "all";

  const paths = [...new Set([...files.map(({ path }) => path), ...counts])];
  const importers = importersOf(files);
  addLinks(importers, paths, rules.reads);
  const near = distancesFrom(counts, importers);
  addLinks(importers, paths, rules.runs);
  const far = distancesFrom(counts, importers);

  const folders = new Set(counts.map(dirname));
  return files
    .filter(({ path }) => IS_TEST.test(path) && far.has(path))
    .map(({ path }) => ({ path, distance: near.get(path) ?? far.get(path) ?? 0, byProgram: !near.has(path) }))
    .sort(
      (a, b) =>
        Number(a.byProgram) - Number(b.byProgram) ||
        a.distance - b.distance ||
        Number(folders.has(dirname(b.path))) - Number(folders.has(dirname(a.path))) ||
        (a.path < b.path ? -1 : 1),
    );
}

/** For each file, those that import it when they run. */
function importersOf(files: readonly LinkedFile[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of files)
    for (const { target, typeOnly } of imports) if (target !== undefined && !typeOnly) addTo(importers, target, path);
  return importers;
}

function addLinks(importers: Map<string, Set<string>>, paths: readonly string[], links: readonly Link[]): void {
  for (const { by, files } of links) {
    const readers = paths.filter((path) => matches(path, by));
    for (const path of paths) if (matches(path, files)) for (const reader of readers) addTo(importers, path, reader);
  }
}

function addTo(importers: Map<string, Set<string>>, target: string, importer: string): void {
  const known = importers.get(target);
  if (known === undefined) importers.set(target, new Set([importer]));
  else known.add(importer);
}

function distancesFrom(changed: readonly string[], importers: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const distances = new Map(changed.map((path) => [path, 0]));
  // A Map is visited in the order of insertion, those added meanwhile too: breadth first.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}
