import { findReachingTests } from "../imports/reach.ts";
import type { SourceFile } from "../imports/source-file.ts";

/**
 * Which tests try a mutant: the nearest of those that need little; those again on the second database; or those that need an engine, a browser or
 * the whole program.
 */
export type Pass = "near" | "postgresql" | "stories";

export interface Choice {
  /** Nearest first. */
  tests: string[];
  /** Tests whose names match are left out. */
  skip: string;
}

/** What a test imports when it is a story, as slow as one, or leaves a mount or a network behind when it is ended in the middle. */
const SLOW_PARTS = ["engine", "two-hosts", "compose", "browser", "program", "registry", "nginx", "small-disk", "networks"].map(
  (name) => `test/support/${name}.ts`,
);
/** The first so many files of each pass; what they do not notice survives. */
const MOST_FILES = { near: 30, stories: 6 };
/** How test/support/databases.ts names its suites. */
const ON_POSTGRESQL = "(on|with) PostgreSQL$";
const ON_SQLITE = "(on|with) SQLite$";
const NOTHING = "(?!)";

/** Answers for any file of src the tests of each pass. */
export function createChoice(files: readonly SourceFile[]): (path: string, pass: Pass) => Choice {
  const slow = new Set(reaching(files, SLOW_PARTS));
  const onBoth = new Set(reaching(files, ["test/support/databases.ts"]));
  return (path, pass) => {
    const tests = reaching(files, [path]);
    const near = tests.filter((test) => !slow.has(test)).slice(0, MOST_FILES.near);
    // What differs between the databases is there.
    const isStorage = path.startsWith("src/storage/");
    if (pass === "near") return { tests: near, skip: isStorage ? NOTHING : ON_POSTGRESQL };
    if (pass === "postgresql") return { tests: isStorage ? [] : near.filter((test) => onBoth.has(test)), skip: ON_SQLITE };
    return { tests: tests.filter((test) => slow.has(test)).slice(0, MOST_FILES.stories), skip: NOTHING };
  };
}

function reaching(files: readonly SourceFile[], changed: readonly string[]): string[] {
  const found = findReachingTests(files, changed);
  return found === "all" ? [] : found.map(({ path }) => path);
}
