import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { readLinks, readSourceFile } from "./source-file.ts";

const ROOT = join(import.meta.dirname, "../..");

it("links without a syntax tree are those of the syntax tree", () => {
  const paths = globSync(["src/events.ts", "src/{app,fleet}/**/*.ts", "tools/**/*.ts", "web/src/api/**/*.ts"], { cwd: ROOT });
  const targets = (imports: ReturnType<typeof readLinks>["imports"]): (string | undefined)[] => [
    ...new Set(imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)).difference(new Set([undefined])),
  ];
  for (const path of paths) {
    const text = readFileSync(join(ROOT, path), "utf8");
    assert.deepEqual(targets(readLinks(path, text).imports).sort(), targets(readSourceFile(ROOT, path, text).imports).sort(), path);
  }
});

it("links are distinguished from types, and refused where they do not parse", () => {
  const text = `import "./a.ts"; import type { B } from "./b.ts"; import { type C } from "./c.ts"; import { d, type D } from "../d.ts?x";
    export { type E } from "./e.ts"; export type { F } from "./f.ts"; export * from "./g.ts"; await import("./h.ts"); import fs from "node:fs";`;
  assert.deepEqual(
    readLinks("src/x/y.ts", text)
      .imports.filter(({ typeOnly }) => !typeOnly)
      .map(({ target }) => target),
    ["src/x/a.ts", "src/d.ts", undefined, "src/x/e.ts", "src/x/g.ts", "src/x/h.ts"],
  );
  assert.throws(() => readLinks("src/x/y.ts", "import {"), /src\/x\/y\.ts/);
});

it("what is imported when it is needed is known as such", () => {
  const { imports } = readSourceFile(ROOT, "src/x/y.ts", `import { a } from "./a.ts"; export const b = () => import("./b.ts");`);
  assert.deepEqual(
    imports.map(({ target, later = false }) => [target, later]),
    [
      ["src/x/a.ts", false],
      ["src/x/b.ts", true],
    ],
  );
});
