import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLineRecord } from "../../../src/monitoring/containers/answers.ts";
import { createWeave, type Marker, type Weave } from "./weave.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const line = (second: number): LogLineRecord => ({ timestamp: at(second), stream: "stdout", text: `line ${second}` });
const marker = (second: number): Marker => ({ id: second, at: at(second), words: `note ${second}`, tone: "down" });

function createWorld(): { weave: Weave; shown: string[] } {
  const shown: string[] = [];
  return { shown, weave: createWeave((entries) => shown.push(...entries.map((entry) => ("note" in entry ? entry.note : entry.text)))) };
}

test("what is known at first is ordered by time; what was before the first line is left out", () => {
  const { weave, shown } = createWorld();
  weave.markers([1, 3, 6].map(marker));
  weave.lines([line(2), line(3), line(4)]);
  assert.deepEqual(shown, ["line 2", "line 3", "note 3", "line 4", "note 6"]);
});

test("what comes later comes as it comes, each marker once", () => {
  const { weave, shown } = createWorld();
  weave.lines([line(1)]);
  weave.markers([marker(5)]);
  weave.lines([line(6)]);
  weave.markers([marker(5), marker(7)]);
  weave.note("gap");
  assert.deepEqual(shown, ["line 1", "note 5", "line 6", "note 7", "gap"]);
});

test("an empty log shows nothing of the past, and the first line begins it", () => {
  const { weave, shown } = createWorld();
  weave.markers([marker(1)]);
  weave.lines([]);
  weave.lines([line(5)]);
  assert.deepEqual(shown, ["line 5"]);
});

test("lines without times take no notes between them", () => {
  const { weave, shown } = createWorld();
  weave.markers([marker(1)]);
  weave.lines([{ ...line(2), timestamp: null }]);
  assert.deepEqual(shown, ["line 2"]);
});
