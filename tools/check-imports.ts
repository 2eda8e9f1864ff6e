/** `node tools/check-imports.ts [ROOT]`: enforces tools/import-rules.ts. Exits 1 when a rule is broken. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findFaults, type Fault } from "./imports/faults.ts";
import { readSourceFile } from "./imports/source-file.ts";

const SOURCES = ["{src,test,tools}/**/*.ts", "web/*.ts", "web/src/**/*.{ts,tsx}"];

/** Reads the project below `root`; a tree without any source file is an error, not a clean one. */
export function checkImports(root: string): { fileCount: number; faults: Fault[] } {
  const paths = globSync(SOURCES, { cwd: root }).sort();
  if (paths.length === 0) throw new Error(`no source file below ${root}`);
  const files = paths.map((path) => readSourceFile(root, path, readFileSync(join(root, path), "utf8")));
  return { fileCount: files.length, faults: findFaults(files) };
}

if (import.meta.main) {
  const { fileCount, faults } = checkImports(resolve(process.argv[2] ?? "."));
  for (const { path, line, message, rule } of faults) console.log(`${path}:${line}: ${message} [${rule}]`);
  if (faults.length > 0) {
    console.log(`\n${faults.length} broken in ${fileCount} files. The rules: tools/import-rules.ts and ARCHITECTURE.md.`);
    process.exitCode = 1;
  } else console.log(`${fileCount} files follow tools/import-rules.ts`);
}
