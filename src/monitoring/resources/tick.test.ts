import assert from "node:assert/strict";
import { test } from "node:test";
import { readings } from "../../../test/support/readings.ts";
import { readTick } from "./tick.ts";

const AT_MS = Date.parse("2026-03-01T12:00:00Z");
const ids: Record<string, number> = { a: 1, b: 2, c: 3 };
const idOf = (externalId: string): number | undefined => ids[externalId];

test("a tick has the containers that are known, with their values, and knows where each is", () => {
  const tick = readTick(readings({ a: { cpuPercent: 1 }, unknown: { cpuPercent: 9 }, c: { cpuPercent: 3, memoryBytes: 30 } }), AT_MS, idOf);
  assert.deepEqual(tick.ids, [1, 3]);
  assert.deepEqual([...tick.columns.cpuPercent], [1, 3]);
  assert.deepEqual([...tick.columns.memoryBytes], [Number.NaN, 30]);
  assert.deepEqual([tick.placeOf(1), tick.placeOf(3), tick.placeOf(2)], [0, 1, undefined]);
  assert.equal(tick.timestamp, "2026-03-01T12:00:00.000Z");
});

test("where everyone is known nothing is copied", () => {
  const given = readings({ a: { cpuPercent: 1 }, b: { cpuPercent: 2 } });
  assert.equal(readTick(given, AT_MS, idOf).columns, given.columns);
});

test("a container that is in it twice counts once, and a column that is too short says nothing", () => {
  const { columns } = readings({ a: { cpuPercent: 1 }, b: { cpuPercent: 2 }, c: { cpuPercent: 3 } });
  const tick = readTick({ externalIds: ["a", "a", "b", "c"], columns }, AT_MS, idOf);
  assert.deepEqual(tick.ids, [1, 2, 3]);
  assert.deepEqual([...tick.columns.cpuPercent], [1, 3, Number.NaN]);
});
