/** Refuses functions that are too long to be read at once. Tests are exempt: the body of a suite is as long as its cases. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { functionLengths } from "./function-lengths.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["{src,tools}/**/*.ts", "web/src/**/*.{ts,tsx}"];
/** Tests, what programs write, and migrations, which stay as they were written. */
const EXEMPT = /\.test\.tsx?$|^src\/fleet\/wire\/gen\/|^src\/storage\/migrations\//;

const MOST_LINES = 60;
/** Markup is a tree and no flow. */
const MOST_LINES_WITH_MARKUP = 80;
/** With all the functions in it: a closure that is longer is a folder in hiding. */
const MOST_LINES_IN_ALL = 230;
/** Variables that the functions in a closure share and change: one with more should be a class. */
const MOST_MUTABLE = 5;

const paths = globSync(SOURCES, { cwd: ROOT })
  .filter((path) => !EXEMPT.test(path))
  .sort();
if (paths.length === 0) throw new Error(`no source file below ${ROOT}`);
for (const path of paths) {
  const most = path.endsWith(".tsx") ? MOST_LINES_WITH_MARKUP : MOST_LINES;
  for (const { name, line, lines, ownLines, mutableLocals } of functionLengths(path, readFileSync(join(ROOT, path), "utf8"))) {
    if (ownLines > most) fail(`${path}:${line}: ${name} has ${ownLines} own lines, more than ${most}`);
    if (lines > MOST_LINES_IN_ALL)
      fail(`${path}:${line}: ${name} has ${lines} lines with all functions in it, more than ${MOST_LINES_IN_ALL}`);
    if (mutableLocals > MOST_MUTABLE)
      fail(`${path}:${line}: ${name} has ${mutableLocals} variables that change, more than ${MOST_MUTABLE}; make it a class, or split it`);
  }
}

function fail(message: string): void {
  console.log(message);
  process.exitCode = 1;
}
