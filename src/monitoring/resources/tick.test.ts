import assert from "node:assert/strict";
import { test } from "node:test";
import { readings } from "../../../test/support/readings.ts";
import type { ContainerReadings } from "../../observations.ts";
import { readTick, type Tick } from "./tick.ts";

const AT_MS = Date.parse("2026-03-01T12:00:00Z");
const ids: Record<string, number> = { a: 1, b: 2, c: 3 };
const read = (given: ContainerReadings, atMs: number, before?: Tick): Tick =>
  readTick(
    given,
    atMs,
    given.externalIds.map((externalId) => ids[externalId]),
    before,
  );

test("a tick has the containers that are known, with their values, and knows where each is", () => {
  const tick = read(readings({ a: { cpuPercent: 1 }, unknown: { cpuPercent: 9 }, c: { cpuPercent: 3, memoryBytes: 30 } }), AT_MS);
  assert.deepEqual(tick.ids, [1, 3]);
  assert.deepEqual([...tick.columns.cpuPercent], [1, 3]);
  assert.deepEqual([...tick.columns.memoryBytes], [Number.NaN, 30]);
  assert.deepEqual([tick.placeOf(1), tick.placeOf(3), tick.placeOf(2)], [0, 1, undefined]);
  assert.equal(tick.timestamp, "2026-03-01T12:00:00.000Z");
});

test("where everyone is known nothing is copied", () => {
  const given = readings({ a: { cpuPercent: 1 }, b: { cpuPercent: 2 } });
  assert.equal(read(given, AT_MS).columns, given.columns);
});

test("a container that is in it twice counts once, and a column that is too short says nothing", () => {
  const { columns } = readings({ a: { cpuPercent: 1 }, b: { cpuPercent: 2 }, c: { cpuPercent: 3 } });
  const tick = read({ externalIds: ["a", "a", "b", "c"], columns }, AT_MS);
  assert.deepEqual(tick.ids, [1, 2, 3]);
  assert.deepEqual([...tick.columns.cpuPercent], [1, 3, Number.NaN]);
});

test("the tick before saves work and changes nothing, whoever was in it", () => {
  const now = readings({ a: { cpuPercent: 1 }, b: { cpuPercent: 2, memoryBytes: 20 } });
  const others = [{ a: {}, b: {} }, { b: {}, a: {} }, { a: {} }, { a: {}, b: {}, c: {} }, { a: {}, c: {} }, {}];
  const cases = [
    now,
    readings({ a: { cpuPercent: 1 }, unknown: { cpuPercent: 9 }, b: { cpuPercent: 2 } }),
    { externalIds: ["a", "a", "b"], columns: now.columns },
  ];
  for (const given of cases) {
    const alone = read(given, AT_MS);
    for (const before of others) {
      const tick = read(given, AT_MS, read(readings(before), AT_MS - 10_000));
      assert.deepEqual({ ...tick, placeOf: undefined }, { ...alone, placeOf: undefined });
      assert.deepEqual([1, 2, 3].map(tick.placeOf), [1, 2, 3].map(alone.placeOf));
    }
  }
  const before = read(now, AT_MS - 10_000);
  assert.equal(read(now, AT_MS, before).ids, before.ids);
});
