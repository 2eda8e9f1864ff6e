import { type Mutation, mutate } from "./mutation.ts";
import { runSuite, type SuiteEnd } from "./suite.ts";
import type { Tree } from "./tree.ts";

export interface Outcome {
  status: "killed" | "survived";
  /** What noticed it, or why the trial ended. */
  by: string;
  /** Test files that were run. */
  files: number;
  seconds: number;
}

export interface Trial {
  tree: Tree;
  mutation: Mutation;
  /** Nearest first. */
  tests: readonly string[];
  skip: string;
  env: NodeJS.ProcessEnv;
  limitMs: number;
  silenceMs: number;
  /** Files known to pass, without a mutation or with one elsewhere; added to. */
  green: Set<string>;
  /** Files that fail without one; added to. */
  red: Set<string>;
  /** Files that have to be alone in a process. */
  isLoner(path: string): boolean;
  /** Run after the source has changed, before tests are. */
  prepare(): Promise<void>;
  /** Ends the trial; its outcome counts for nothing. */
  signal: AbortSignal;
}

/** How many files share a process: few at first, since most mutants are noticed by the nearest. */
const GROUPS = [2, 4, 8];

/**
 * Runs tests against a mutant, nearest first, until one notices it. A failure counts when the file is known to pass without the mutation, and
 * when it was the first in its process or fails alone too; a hang counts when the file is known to pass.
 */
export async function tryMutant({
  tree,
  mutation,
  tests,
  skip,
  env,
  limitMs,
  silenceMs,
  green,
  red,
  isLoner,
  prepare,
  signal,
}: Trial): Promise<Outcome> {
  const startedMs = performance.now();
  const original = tree.read(mutation.path);
  let files = 0;

  const leftMs = (): number => limitMs - (performance.now() - startedMs);
  const run = (paths: readonly string[], ms: number): Promise<SuiteEnd> =>
    runSuite({ tree, files: paths, skip, env, limitMs: ms, silenceMs, signal });
  const outcome = (status: Outcome["status"], by: string): Outcome => ({
    status,
    by,
    files,
    seconds: Math.round((performance.now() - startedMs) / 1000),
  });

  async function isGreen(path: string): Promise<boolean> {
    if (green.has(path) || red.has(path)) return green.has(path);
    tree.write(mutation.path, original);
    await prepare();
    const { end } = await run([path], limitMs);
    tree.write(mutation.path, mutate(original, mutation));
    await prepare();
    (end === "passed" ? green : red).add(path);
    return end === "passed";
  }

  tree.write(mutation.path, mutate(original, mutation));
  try {
    await prepare();
    const waiting = groupsOf(tests, isLoner);
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      if (leftMs() <= 0 || signal.aborted) return outcome("survived", "out of time");
      const paths = group.filter((path) => !red.has(path));
      if (paths.length === 0) continue;
      const { end, file, test } = await run(paths, leftMs());
      if (end === "out of time") return outcome("survived", "out of time");
      files += end === "passed" ? paths.length : Math.max(1, paths.indexOf(file) + 1);
      if (end === "passed") {
        for (const path of paths) green.add(path);
        continue;
      }
      if (end === "hung" && (await isGreen(file))) return outcome("killed", `${file}: hangs`);
      if (end === "failed") {
        // The first of a process has nobody before it who could have disturbed it.
        const alone = file === paths[0] ? end : (await run([file], limitMs)).end;
        if (alone !== "passed" && (await isGreen(file))) return outcome("killed", `${file}: ${test}`);
      }
      // The failure was not the mutation's: the others of the group have still to be asked.
      const others = paths.filter((path) => path !== file);
      if (others.length > 0) waiting.unshift(others);
    }
    return outcome("survived", tests.length === 0 ? "no test reaches it" : "all passed");
  } finally {
    tree.write(mutation.path, original);
  }
}

function groupsOf(tests: readonly string[], isLoner: (path: string) => boolean): string[][] {
  const groups: string[][] = [];
  let open: string[] = [];
  for (const path of tests) {
    if (isLoner(path)) {
      groups.push([path]);
      continue;
    }
    if (open.length === 0) groups.push(open);
    open.push(path);
    if (open.length >= (GROUPS[groups.length - 1] ?? GROUPS.at(-1) ?? 1)) open = [];
  }
  return groups;
}
