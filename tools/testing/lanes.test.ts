import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";

const LANES = new URL("lanes.ts", import.meta.url).href;

/** Runs jobs, their files given by their text, in two lanes; a test cannot start the runner in its own process, so in another. */
function runTexts(jobs: readonly (readonly string[])[]): Promise<{ code: number; report: string }> {
  const folder = temporaryFolder();
  const files = jobs.map((texts, job) =>
    texts.map((text, index) => {
      const path = join(folder, `${job}-${index}.test.mjs`);
      writeFileSync(path, `import { it } from "node:test";\nimport { existsSync, writeFileSync } from "node:fs";\n${text}`);
      return path;
    }),
  );
  const main = join(folder, "main.mjs");
  writeFileSync(
    main,
    `import { runLanes } from "${LANES}";
    const jobs = ${JSON.stringify(files)}.map((files) => ({ files, parts: [] }));
    const env = { ...process.env, FOLDER: ${JSON.stringify(folder)} };
    const { success } = await runLanes({ jobs, lanes: 2, env, signal: new AbortController().signal });
    process.exitCode = success ? 0 : 1;`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, report: stdout + stderr }),
    );
  });
}

const PASSES = `it("passes", () => {});`;
const FAILS = `it("fails", () => { throw new Error("on purpose"); });`;
const DOES_NOT_LOAD = `import "no-such-package";`;
const LEAVES_A_THROW = `it("leaves a throw", () => void setTimeout(() => { throw new Error("left behind"); }));
it("waits", () => new Promise((resolve) => setTimeout(resolve, 100)));`;
const LEAVES_A_REJECTION = `it("leaves a rejection", () => void Promise.reject(new Error("left behind")));`;
const EXITS = `it("exits", () => process.exit(3));`;

describe("lanes of tests", () => {
  const cases = [
    { name: "all pass", jobs: [[PASSES, PASSES], [PASSES]], code: 0, pass: 3, fail: 0 },
    { name: "a failure in the first job", jobs: [[FAILS], [PASSES]], code: 1, pass: 1, fail: 1 },
    {
      name: "a failure in the last job, among others of its process",
      jobs: [[PASSES], [PASSES, FAILS, PASSES]],
      code: 1,
      pass: 3,
      fail: 1,
    },
    { name: "a file that does not load", jobs: [[PASSES], [DOES_NOT_LOAD]], code: 1, pass: 1 },
    { name: "a file that does not load, beside one that does", jobs: [[PASSES, DOES_NOT_LOAD, PASSES]], code: 1, pass: 2 },
    { name: "an error that nobody catches", jobs: [[LEAVES_A_THROW], [PASSES]], code: 1 },
    { name: "a rejection that nobody awaits", jobs: [[LEAVES_A_REJECTION], [PASSES]], code: 1 },
    { name: "a process that ends in the middle", jobs: [[EXITS, PASSES], [PASSES]], code: 1 },
    { name: "more jobs than lanes", jobs: [[PASSES], [PASSES], [PASSES], [PASSES], [PASSES]], code: 0, pass: 5, fail: 0 },
  ];
  for (const { name, jobs, code, pass, fail } of cases)
    it(`make one report: ${name}`, async () => {
      const run = await runTexts(jobs);
      assert.equal(run.code, code, run.report);
      const count = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, "m").exec(run.report)?.[1]);
      if (pass !== undefined) assert.equal(count("pass"), pass, run.report);
      if (fail !== undefined) assert.equal(count("fail"), fail, run.report);
      assert.equal(/failing tests/.test(run.report), code !== 0);
      assert.equal(run.report.match(/^ℹ tests /gm)?.length, 1);
    });

  it("run beside each other, and are reported one after another", async () => {
    const meet = (mine: string, other: string): string => `it("${mine} meets ${other}", async () => {
      writeFileSync(process.env.FOLDER + "/${mine}", "");
      while (!existsSync(process.env.FOLDER + "/${other}")) await new Promise((resolve) => setTimeout(resolve, 20));
    });`;
    const { code, report } = await runTexts([[meet("first", "second"), PASSES], [meet("second", "first")]]);
    assert.equal(code, 0, report);
    assert.match(report, /first meets second.*passes.*second meets first.*ℹ tests 3/s);
  });
});
