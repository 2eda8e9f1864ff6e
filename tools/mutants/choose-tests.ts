import { findReachingTests } from "../imports/reach.ts";
import type { SourceFile } from "../imports/source-file.ts";

/** Which tests try a mutant: the nearest of those that need little, or of those that need an engine, a browser or the whole program. */
export type Pass = "near" | "stories";

/** What a test imports when it is a story, or as slow as one. */
const SLOW_PARTS = ["engine", "two-hosts", "compose", "browser", "program", "registry", "nginx"].map((name) => `test/support/${name}.ts`);
/** The first so many files of each pass; what they do not notice survives. */
export const MOST_FILES: Readonly<Record<Pass, number>> = { near: 30, stories: 6 };

/** Answers for any file of src the tests of each pass, nearest first. */
export function createChoice(files: readonly SourceFile[]): (path: string) => Record<Pass, string[]> {
  const slow = new Set(reaching(files, SLOW_PARTS));
  return (path) => {
    const tests = reaching(files, [path]);
    return {
      near: tests.filter((test) => !slow.has(test)).slice(0, MOST_FILES.near),
      stories: tests.filter((test) => slow.has(test)).slice(0, MOST_FILES.stories),
    };
  };
}

function reaching(files: readonly SourceFile[], changed: readonly string[]): string[] {
  const found = findReachingTests(files, changed);
  return found === "all" ? [] : found.map(({ path }) => path);
}
