/** Refuses words that docs/glossary.md retired, in the names of files, the code and the docs: each of its tables has them in a column called `not`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { retiredWords, usesOf } from "./words.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = /^(src|web\/src|tools|test)\/.*\.(tsx?|css)$|^(docs|deploy)\/.*\.(md|yaml)$|^[A-Z]+\.md$/;
/** Migrations are recorded as they are, generated code follows the wire, and some files have to name what is refused or was renamed. */
const EXEMPT =
  /^(src\/storage\/migrations\/|src\/fleet\/wire\/gen\/|test\/fixtures\/|CHANGELOG\.md$|docs\/glossary\.md$|tools\/words\.test\.ts$)/;

const words = retiredWords(readFileSync(join(ROOT, "docs/glossary.md"), "utf8"));
const paths = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter((path) => SOURCES.test(path) && !EXEMPT.test(path));
const faults = paths.flatMap((path) => {
  const inPath = usesOf(path, words).map(({ word, instead }) => `${path}: its name has "${word}"; write ${instead}`);
  const inText = usesOf(readFileSync(join(ROOT, path), "utf8"), words).map(
    ({ line, word, instead }) => `${path}:${line}: "${word}"; write ${instead}`,
  );
  return [...inPath, ...inText];
});
if (faults.length > 0) console.log(faults.join("\n"));
process.exitCode = faults.length > 0 ? 1 : 0;
