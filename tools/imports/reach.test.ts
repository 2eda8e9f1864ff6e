import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REACH_RULES, type ReachRules } from "./reach-rules.ts";
import { findReachingTests } from "./reach.ts";
import type { SourceFile } from "./source-file.ts";

/** Each file, and what it imports; `type:` before a file imports types of it alone. */
const GRAPH: Readonly<Record<string, readonly string[]>> = {
  "src/main.ts": ["src/app/server.ts"],
  "src/app/server.ts": ["src/alarm/index.ts"],
  "src/app/server.test.ts": ["src/app/server.ts"],
  "src/alarm/index.ts": ["src/alarm/rule.ts"],
  "src/alarm/index.test.ts": ["src/alarm/index.ts", "test/support/world.ts"],
  "src/alarm/wide.test.ts": ["src/alarm/rule.ts", "src/deep.ts"],
  "src/alarm/rule.ts": ["src/deep.ts", "type:src/shape.ts"],
  "src/alarm/rule.test.ts": ["src/alarm/rule.ts"],
  "src/abroad/other.test.ts": ["src/alarm/rule.ts"],
  "src/deep.ts": [],
  "src/shape.ts": [],
  "src/storage/thread.ts": [],
  "src/storage/thread.test.ts": ["src/storage/starter.ts"],
  "src/storage/starter.ts": [],
  "test/stories/whole.test.ts": ["test/support/program.ts"],
  "test/support/program.ts": [],
  "test/support/world.ts": [],
  "web/src/page.tsx": [],
  "web/src/page.test.tsx": ["web/src/page.tsx"],
};

const RULES: ReachRules = {
  reads: [
    { by: ["src/storage/starter.ts"], files: ["src/storage/thread.ts"] },
    { by: ["src/deep.ts"], files: ["src/*.json"] },
  ],
  runs: [{ by: ["test/support/program.ts"], files: ["src/main.ts"] }],
  everything: ["package.json", "tools/test.ts"],
  nothing: ["**/*.md"],
};

interface Case {
  name: string;
  changed: string[];
  /** Distance and path, "program" when only by running it. */
  reached: string[] | "all";
}

const CASES: readonly Case[] = [
  {
    name: "nearest first; in the same folder before others; by the program last",
    changed: ["src/alarm/rule.ts"],
    reached: [
      "1 src/alarm/rule.test.ts",
      "1 src/alarm/wide.test.ts",
      "1 src/abroad/other.test.ts",
      "2 src/alarm/index.test.ts",
      "3 src/app/server.test.ts",
      "program 5 test/stories/whole.test.ts",
    ],
  },
  { name: "a test reaches itself", changed: ["src/alarm/index.test.ts"], reached: ["0 src/alarm/index.test.ts"] },
  { name: "a type is gone at run time", changed: ["src/shape.ts"], reached: [] },
  { name: "a thread is reached by what starts it", changed: ["src/storage/thread.ts"], reached: ["2 src/storage/thread.test.ts"] },
  { name: "a story is near what it imports", changed: ["test/support/program.ts"], reached: ["1 test/stories/whole.test.ts"] },
  {
    name: "two changed files",
    changed: ["src/app/server.ts", "web/src/page.tsx"],
    reached: ["1 src/app/server.test.ts", "1 web/src/page.test.tsx", "program 3 test/stories/whole.test.ts"],
  },
  {
    name: "the nearest path counts, and the program comes last even when it is near",
    changed: ["src/main.ts", "src/deep.ts"],
    reached: [
      "1 src/alarm/wide.test.ts",
      "2 src/abroad/other.test.ts",
      "2 src/alarm/rule.test.ts",
      "3 src/alarm/index.test.ts",
      "4 src/app/server.test.ts",
      "program 2 test/stories/whole.test.ts",
    ],
  },
  {
    name: "a file that is read",
    changed: ["src/table.json"],
    reached: [
      "2 src/alarm/wide.test.ts",
      "3 src/abroad/other.test.ts",
      "3 src/alarm/rule.test.ts",
      "4 src/alarm/index.test.ts",
      "5 src/app/server.test.ts",
      "program 7 test/stories/whole.test.ts",
    ],
  },
  { name: "a deleted file that nobody imports", changed: ["src/gone.ts"], reached: [] },
  { name: "a document", changed: ["docs/page.md"], reached: [] },
  { name: "nothing", changed: [], reached: [] },
  { name: "no rule explains the file", changed: ["docs/page.md", "deploy/thing.yaml"], reached: "all" },
  { name: "a package", changed: ["src/shape.ts", "package.json"], reached: "all" },
  { name: "the runner of the tests", changed: ["tools/test.ts"], reached: "all" },
];

for (const { name, changed, reached } of CASES)
  test(name, () => {
    const found = findReachingTests(Object.entries(GRAPH).map(sourceFile), changed, RULES);
    const lines =
      found === "all" ? found : found.map(({ path, distance, byProgram }) => `${byProgram ? "program " : ""}${distance} ${path}`);
    assert.deepEqual(lines, reached);
  });

test("every rule names files that are there", () => {
  const links = [...REACH_RULES.reads, ...REACH_RULES.runs];
  const patterns = [...links.flatMap(({ by, files }) => [...by, ...files]), ...REACH_RULES.everything];
  const lost = patterns.filter((pattern) => globSync(pattern, { cwd: join(import.meta.dirname, "../..") }).length === 0);
  assert.deepEqual(lost, []);
});

function sourceFile([path, imports]: [string, readonly string[]]): SourceFile {
  return {
    path,
    lines: 1,
    uses: [],
    defaultExport: undefined,
    starExports: [],
    imports: imports.map((specifier) => ({
      line: 1,
      specifier,
      target: specifier.replace("type:", ""),
      missing: false,
      typeOnly: specifier.startsWith("type:"),
      names: [],
    })),
  };
}
