import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceFile } from "../imports/source-file.ts";
import { findMutations } from "./sites.ts";
import type { Tree } from "./tree.ts";
import { selectWellTyped } from "./well-typed.ts";

/** `bad` breaks a file when it is changed, `far` the file that imports it. */
const SOURCES: Readonly<Record<string, string>> = {
  "src/good.ts": "const good = 1;",
  "src/bad.ts": "const bad = 1;",
  "src/far.ts": "export const far = 1;",
  "src/user.ts": "use(far);",
  "src/fine.ts": "const fine = 1;\nconst finer = 2;",
};
const FILES = Object.keys(SOURCES).map((path) => fileOf(path, path === "src/user.ts" ? ["src/far.ts"] : []));
const DRAWN = Object.entries(SOURCES).flatMap(([path, text]) => findMutations(path, text).filter(({ kind }) => kind === "constant"));

async function select(count: number): Promise<{ kept: string[]; checks: number; texts: Readonly<Record<string, string>> }> {
  const texts: Record<string, string> = { ...SOURCES };
  const tree: Tree = {
    root: "",
    read: (path) => texts[path] ?? "",
    write: (path, text) => void (texts[path] = text),
    remove: () => undefined,
  };
  let checks = 0;
  const kept = await selectWellTyped({
    tree,
    files: FILES,
    drawn: DRAWN,
    count,
    async checkTypes() {
      checks += 1;
      const errors: string[] = [];
      if (texts["src/bad.ts"] !== SOURCES["src/bad.ts"]) errors.push("src/bad.ts");
      if (texts["src/far.ts"] !== SOURCES["src/far.ts"]) errors.push("src/user.ts");
      return errors;
    },
  });
  return { kept: kept.map(({ path, line }) => `${path}:${line}`), checks, texts };
}

test("what fails the type check is left out, in its own file or in one that imports it", async () => {
  const { kept, texts } = await select(10);
  assert.deepEqual(kept, ["src/good.ts:1", "src/fine.ts:1", "src/fine.ts:2"]);
  assert.deepEqual(texts, SOURCES);
});

test("the first drawn are kept, and no more than asked for", async () => {
  const { kept } = await select(1);
  assert.deepEqual(kept, ["src/good.ts:1"]);
});

test("many mutations share a check", async () => {
  const { checks } = await select(10);
  // With all files, without bad, without far; and the second one of a file.
  assert.equal(checks, 4);
});

test("sources that fail without a mutation are no mutation's fault", async () => {
  const tree: Tree = { root: "", read: (path) => SOURCES[path] ?? "", write: () => undefined, remove: () => undefined };
  await assert.rejects(
    selectWellTyped({ tree, files: FILES, drawn: DRAWN, count: 1, checkTypes: async () => ["src/elsewhere.ts"] }),
    /fails without a mutation in src\/elsewhere\.ts/,
  );
});

function fileOf(path: string, targets: readonly string[]): SourceFile {
  const imports = targets.map((target) => ({ line: 1, specifier: target, target, missing: false, typeOnly: false, names: [] }));
  return { path, lines: 1, imports, uses: [], defaultExport: undefined, starExports: [] };
}
