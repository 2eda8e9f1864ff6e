import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceLogLine } from "../../../src/monitoring/swarm/answers.ts";
import { createTaskOverlap, READ_LINES } from "./overlap.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const line = (task: string, second: number): ServiceLogLine => ({
  ...{ timestamp: at(second), stream: "stdout", text: `${task} at ${second}` },
  ...{ task_id: task, task_name: task, slot: 1, node_name: "node-1" },
});

test("lines of several tasks come once each, in whatever order they are read again", () => {
  const overlap = createTaskOverlap();
  overlap.begin();
  const passing = (lines: ServiceLogLine[]): string[] => lines.filter((each) => overlap.pass(each)).map(({ text }) => text);
  assert.equal(passing([line("a", 40), line("b", 41), line("a", 42)]).length, 3);
  assert.equal(overlap.since, at(12));
  overlap.begin();
  assert.deepEqual(passing([line("b", 41), line("b", 43), line("a", 40), line("a", 42), line("a", 42)]), ["b at 43", "a at 42"]);
  // The clock of its node is behind.
  assert.deepEqual(passing([line("c", 20)]), ["c at 20"]);
});

test("what the first reading had no room for does not come below newer lines", () => {
  const overlap = createTaskOverlap();
  overlap.begin();
  for (let count = 0; count < READ_LINES; count += 1) overlap.pass(line("a", 40));
  overlap.begin();
  assert.equal(overlap.pass(line("b", 39)), false);
  assert.equal(overlap.pass(line("b", 41)), true);
});
