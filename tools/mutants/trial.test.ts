import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { findMutations } from "./sites.ts";
import type { Tree } from "./tree.ts";
import { type Outcome, tryMutant } from "./trial.ts";

const SOURCE = `export function countTo(limit: number): number {
  let count = 0;
  while (count < limit) {
    count += 1;
  }
  return count;
}

export function unused(): boolean {
  return true;
}
`;

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }',
  "src/count.ts": SOURCE,
  "src/red.test.ts": 'import { test } from "node:test";\ntest("is red anyway", () => { throw new Error("red"); });\n',
  "src/empty.test.ts": 'import { test } from "node:test";\ntest("sees nothing", () => undefined);\n',
  "src/count.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { countTo } from "./count.ts";
test("counts", () => assert.equal(countTo(3), 3));
`,
};

/** Longer than one of these tests takes on a busy machine. */
const SILENCE_MS = 5_000;

test("a mutant that a test notices is killed, and the test is named", async (t) => {
  const outcome = await attempt(t, { line: 3, kind: "bound" });
  assert.deepEqual([outcome.status, outcome.by], ["killed", "src/count.test.ts: counts"]);
});

test("a failure that is there without the mutation counts for nothing", async (t) => {
  const outcome = await attempt(t, { line: 10, kind: "constant" });
  assert.deepEqual([outcome.status, outcome.by], ["survived", "all passed"]);
});

test("a loop without end is killed", async (t) => {
  const outcome = await attempt(t, { line: 4, kind: "delete" });
  assert.deepEqual([outcome.status, outcome.by], ["killed", "src/count.test.ts: hangs"]);
});

test("what no test reaches survives", async (t) => {
  const outcome = await attempt(t, { line: 10, kind: "constant", tests: [] });
  assert.deepEqual([outcome.status, outcome.by], ["survived", "no test reaches it"]);
});

test("tests whose names are left out notice nothing", async (t) => {
  const outcome = await attempt(t, { line: 3, kind: "bound", skip: "^counts$" });
  assert.equal(outcome.status, "survived");
});

const ALL = ["src/red.test.ts", "src/empty.test.ts", "src/count.test.ts"];

/** Tries a mutation of the source; the tree is as it was afterwards. */
async function attempt(
  t: TestContext,
  { line, kind, tests = ALL, skip = "(?!)" }: { line: number; kind: string; tests?: readonly string[]; skip?: string },
): Promise<Outcome> {
  const mutation = findMutations("src/count.ts", SOURCE).find((each) => each.line === line && each.kind === kind);
  assert.ok(mutation);
  const tree = makeTree(t);
  const outcome = await tryMutant({
    tree,
    mutation,
    tests,
    skip,
    env: process.env,
    limitMs: 120_000,
    silenceMs: SILENCE_MS,
    green: new Set(),
    red: new Set(),
    isLoner: () => false,
    prepare: async () => undefined,
    signal: new AbortController().signal,
  });
  assert.equal(tree.read("src/count.ts"), SOURCE);
  return outcome;
}

function makeTree(t: TestContext): Tree {
  const root = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  t.after(remove);
  mkdirSync(join(root, "src"));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
  return {
    root,
    remove,
    read: (path) => readFileSync(join(root, path), "utf8"),
    write: (path, text) => writeFileSync(join(root, path), text),
  };
}
