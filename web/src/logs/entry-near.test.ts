import assert from "node:assert/strict";
import { test } from "node:test";
import { entryNear } from "./entry-near.ts";
import { createFinder } from "./find.ts";
import type { LogEntry } from "./log-model.ts";

const line = (id: number, time: number | null, plain: string): LogEntry => ({
  id,
  time,
  plain,
  text: plain,
  stream: "stdout",
  level: null,
});
const entries: LogEntry[] = [
  line(1, null, "no time"),
  line(2, 100, "start"),
  line(3, 200, "panic: no ledger"),
  { id: 4, time: 210, note: "Exited with code 1", tone: "down" },
  line(5, 300, "start"),
  line(6, 400, "panic: no ledger"),
];
const near = (at: number, query = ""): number | undefined => entryNear(entries, at, createFinder(query));

test("the line of a moment is the first that was written then or after it", () => {
  assert.deepEqual([near(200), near(201), near(399)], [3, 5, 6]);
});

test("of a moment after all lines it is the last, and before all of them there is none", () => {
  assert.deepEqual([near(401), near(99), near(100), entryNear([], 1, null)], [6, undefined, 2, undefined]);
});

test("what is looked for is the last line until then that has it", () => {
  assert.deepEqual([near(250, "panic"), near(400, "panic"), near(900, "start")], [3, 6, 5]);
  assert.equal(near(150, "panic"), 3, "nothing has it until then: the first after");
  assert.equal(near(250, "nowhere"), 5);
});
