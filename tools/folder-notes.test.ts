import assert from "node:assert/strict";
import { test } from "node:test";
import { noteFaults } from "./folder-notes.ts";

const files = [
  { path: "src/main.ts", imports: [] },
  { path: "src/platform/bus.ts", imports: [] },
  {
    path: "src/monitoring/logs/index.ts",
    imports: [
      { target: "src/platform/bus.ts", typeOnly: false },
      { target: "src/monitoring/intake.ts", typeOnly: true },
      { target: "src/monitoring/containers/index.ts", typeOnly: true },
      { target: undefined, typeOnly: false },
    ],
  },
];
const PLATFORM = "# Platform\n\nWhat every part needs.\n\nMay import: `contract`.\n";
const MONITORING =
  "# Monitoring\n\nCompares.\n\nMay import: `contract`, `images`, `observations`, `events`, `platform`, `http`, `mcp`, `storage`, `editions` and `runtime interface`.\n";
const LOGS = "# Logs\n\nSearch in logs.\n\nMay import: what `monitoring` may; of its neighbours `containers`.\n";
const good = [
  ["src/platform", PLATFORM],
  ["src/monitoring", MONITORING],
  ["src/monitoring/logs", LOGS],
] as const;
const faultsOf = (...changes: (readonly [string, string])[]): string[] => noteFaults(files, new Map([...good, ...changes]));

test("notes that say what is imported pass", () => assert.deepEqual(faultsOf(), []));

test("a folder without a note is named, also one that has folders alone", () => {
  const faults = noteFaults(files, new Map());
  assert.deepEqual(
    faults.map((fault) => fault.split(":")[0]),
    ["src/monitoring", "src/monitoring/logs", "src/platform"],
  );
});

test("a note that leaves out a neighbour or names another part is refused, with what it should say", () => {
  const [neighbour] = faultsOf(["src/monitoring/logs", LOGS.replace("of its neighbours `containers`", "none of its neighbours")]);
  assert.match(neighbour ?? "", /^src\/monitoring\/logs\/README\.md: .*of its neighbours `containers`\.$/s);
  const [part] = faultsOf(["src/platform", PLATFORM.replace("`contract`", "`http`")]);
  assert.match(part ?? "", /^src\/platform\/README\.md: .*May import: `contract`\.$/s);
});

test("a note that does not say what the folder does is refused", () => {
  assert.equal(faultsOf(["src/platform", "May import: `contract`.\n"]).length, 1);
});
