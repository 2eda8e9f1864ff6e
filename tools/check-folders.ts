/** Holds the README.md of each folder of src to what the folder imports; see folder-notes.ts. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { noteFaults } from "./folder-notes.ts";
import { readLinks } from "./imports/source-file.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const paths = globSync("src/**/*.ts", { cwd: ROOT }).filter((path) => !path.endsWith(".test.ts"));
if (paths.length === 0) throw new Error(`no source file below ${ROOT}`);
const notes = new Map(globSync("src/{*,*/*}/README.md", { cwd: ROOT }).map((path) => [dirname(path), read(path)]));
const faults = noteFaults(
  paths.map((path) => readLinks(path, read(path))),
  notes,
);
if (faults.length > 0) console.log(faults.join("\n"));
process.exitCode = faults.length > 0 ? 1 : 0;
