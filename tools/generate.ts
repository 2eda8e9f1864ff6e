/** `npm run generate [-- --check]`: writes the pages that are made from the source, or says which are out of date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { optionsPage } from "../src/config/help.ts";

const ROOT = join(import.meta.dirname, "..");

const PAGES: readonly { path: string; content: () => string }[] = [{ path: "docs/options.md", content: optionsPage }];

const isCheck = process.argv.includes("--check");
for (const { path, content } of PAGES) {
  const file = join(ROOT, path);
  const expected = content();
  if (existsSync(file) && readFileSync(file, "utf8") === expected) continue;
  if (isCheck) {
    console.log(`${path} is out of date; run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, expected);
    console.log(`wrote ${path}`);
  }
}
