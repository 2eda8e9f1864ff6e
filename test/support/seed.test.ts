import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";

const PROGRAM = `
import { it } from "node:test";
import { chanceOf, fc } from ${JSON.stringify(join(import.meta.dirname, "seed.ts"))};
it("with its own seed", (context) => {
  throw new Error("drew " + chanceOf(context).below(1e9));
});
it("in peace", (context) => void chanceOf(context));
it("by properties", () => fc.assert(fc.property(fc.nat(), (number) => { throw new Error("drew " + number); }), { endOnFailure: true }));
`;

/** A run of tests that fail with what they drew. */
function run(context: TestContext, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-seed-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "draw.test.mjs");
  writeFileSync(file, PROGRAM);
  // The runner above is not to take this for a part of itself.
  const { NODE_TEST_CONTEXT: _, BINNACLE_TEST_SEED: __, ...rest } = process.env;
  const { stdout } = spawnSync(process.execPath, ["--test", file], { encoding: "utf8", env: { ...rest, ...env } });
  const found = (pattern: RegExp): string[] => [...stdout.matchAll(pattern)].map(([, group = ""]) => group);
  return {
    seeds: [...found(/"with its own seed" draws the same again with BINNACLE_TEST_SEED=(-?\d+)/g), ...found(/seed: (-?\d+)/g)],
    drawn: [...new Set(found(/drew (\d+)/g))].sort(),
  };
}

it("what tests drew comes back with the seed that their failure printed", (context) => {
  const first = run(context);
  const [seed = ""] = first.seeds;
  assert.deepEqual([first.seeds, first.drawn.length], [[seed, seed], 2]);
  assert.deepEqual(run(context, { BINNACLE_TEST_SEED: seed }), first);
  assert.notDeepEqual(run(context, { BINNACLE_TEST_SEED: String(Number(seed) ^ 1) }).drawn, first.drawn);
});
