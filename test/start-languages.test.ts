import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const PROGRAM = new URL("../src/app/run.ts", import.meta.url).href;
/** Loads the program where all that knows of languages throws. */
const LOAD = `
const refuse = (what) => () => { throw new Error(what + " is used when a file is loaded"); };
for (const name of ["Collator", "DateTimeFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "Segmenter", "ListFormat"])
  Intl[name] = new Proxy(Intl[name], { construct: refuse(name), apply: refuse(name) });
for (const [type, name] of [[Number, "toLocaleString"], [Date, "toLocaleString"], [Date, "toLocaleDateString"], [String, "localeCompare"]])
  type.prototype[name] = refuse(name);
await import(${JSON.stringify(PROGRAM)});
`;

it("a start loads nothing of what the platform knows of languages, which takes 10 MB", async () => {
  const { stderr } = await run(process.execPath, ["--input-type=module", "--eval", LOAD]);
  assert.equal(stderr, "");
});
