import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "../test/support/program.ts";

const LANES = new URL("test-lanes.ts", import.meta.url).href;

/** Runs files, given by their text, in lanes; within a test the runner runs no others, so in a process of its own. */
function runTexts(lanes: readonly (readonly string[])[]): Promise<{ code: number; report: string }> {
  const folder = temporaryFolder();
  const files = lanes.map((texts, lane) =>
    texts.map((text, index) => {
      const path = join(folder, `${lane}-${index}.test.mjs`);
      writeFileSync(path, `import { it } from "node:test";\nimport { existsSync, writeFileSync } from "node:fs";\n${text}`);
      return path;
    }),
  );
  const main = join(folder, "main.mjs");
  writeFileSync(
    main,
    `import { runLanes } from "${LANES}";
    const lanes = ${JSON.stringify(files)}.map((files) => ({ files, timeoutMs: 20_000 }));
    process.exitCode = await runLanes(lanes, { PATH: process.env.PATH, FOLDER: ${JSON.stringify(folder)} }, new AbortController().signal);`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main], { env }, (_error, stdout) => resolve({ code: child.exitCode ?? -1, report: stdout }));
  });
}

const PASSES = `it("passes", () => {});`;
const FAILS = `it("fails", () => { throw new Error("on purpose"); });`;
const CRASHES = `import "no-such-package";`;

describe("lanes of tests", () => {
  const cases = [
    { name: "all pass", lanes: [[PASSES, PASSES], [PASSES]], code: 0, tests: 3, pass: 3 },
    { name: "a failure in the first", lanes: [[FAILS], [PASSES]], code: 1, tests: 2, pass: 1 },
    { name: "a failure in the last", lanes: [[PASSES], [FAILS]], code: 1, tests: 2, pass: 1 },
    { name: "a file that does not load", lanes: [[PASSES], [CRASHES]], code: 1, tests: 2, pass: 1 },
    { name: "one of them empty", lanes: [[], [PASSES]], code: 0, tests: 1, pass: 1 },
  ];
  for (const { name, lanes, code, tests, pass } of cases)
    it(`make one report: ${name}`, async () => {
      const run = await runTexts(lanes);
      assert.equal(run.code, code, run.report);
      const count = (what: string): string[] =>
        [...run.report.matchAll(new RegExp(`^ℹ ${what} (\\d+)$`, "gm"))].map(([, value]) => value ?? "");
      assert.deepEqual([count("tests"), count("pass"), count("fail")], [[String(tests)], [String(pass)], [String(tests - pass)]]);
      assert.equal(/failing tests/.test(run.report), code !== 0);
    });

  it("go on beside each other, and are told of one after another", async () => {
    const meet = (mine: string, other: string): string => `it("${mine} meets ${other}", async () => {
      writeFileSync(process.env.FOLDER + "/${mine}", "");
      while (!existsSync(process.env.FOLDER + "/${other}")) await new Promise((resolve) => setTimeout(resolve, 20));
    });`;
    const { code, report } = await runTexts([[meet("first", "second"), PASSES], [meet("second", "first")]]);
    assert.equal(code, 0, report);
    assert.match(report, /first meets second.*passes.*second meets first.*ℹ tests 3/s);
  });
});
