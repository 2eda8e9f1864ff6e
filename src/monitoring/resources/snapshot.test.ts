import assert from "node:assert/strict";
import { test } from "node:test";
import { readings } from "../../../test/support/readings.ts";
import type { ContainerReadings } from "../../observations.ts";
import { cores, percent, shareInPercent, snapshotAt, whole, readTick, type Tick } from "./snapshot.ts";

const about = { containerId: 7, timestamp: "2026-03-01T12:00:00.000Z" };

test("a snapshot has every figure, rounded", () => {
  const { columns } = readings({
    other: {},
    web: {
      cpuPercent: 12.345,
      cpuCoresUsed: 0.123_456,
      memoryBytes: 100.4,
      memoryLimitBytes: 300,
      networkRxBytes: 1.5,
      networkTxBytes: 2,
      diskReadBytes: 3,
      diskWriteBytes: 4,
      networkRxBytesPerSecond: 5.4,
      networkTxBytesPerSecond: 6.6,
      diskReadBytesPerSecond: 0,
      diskWriteBytesPerSecond: 0.4,
    },
  });
  assert.deepEqual(snapshotAt(columns, 1, about), {
    container_id: 7,
    cpu_percent: 12.35,
    cpu_cores_used: 0.1235,
    memory_bytes: 100,
    memory_limit_bytes: 300,
    memory_percent: 33.47,
    network_rx_bytes: 2,
    network_tx_bytes: 2,
    disk_read_bytes: 3,
    disk_write_bytes: 4,
    network_rx_bytes_per_second: 5,
    network_tx_bytes_per_second: 7,
    disk_read_bytes_per_second: 0,
    disk_write_bytes_per_second: 0,
    timestamp: about.timestamp,
  });
});

test("what was not read is null, never 0", () => {
  const { container_id: id, timestamp, ...figures } = snapshotAt(readings({ web: {} }).columns, 0, about);
  assert.deepEqual([id, timestamp], [7, about.timestamp]);
  assert.equal(Object.keys(figures).length, 13);
  assert.deepEqual(new Set(Object.values(figures)), new Set([null]));
});

const cases: [what: string, got: number | null, wanted: number | null][] = [
  ["a percent", percent(12.345), 12.35],
  ["no percent is above 100", percent(250.1), 100],
  ["nor below 0", percent(-3), 0],
  ["not a number", percent(Number.NaN), null],
  ["infinite", percent(Infinity), null],
  ["nothing", percent(undefined), null],
  ["a share", shareInPercent(1, 3), 33.33],
  ["more than the limit", shareInPercent(4, 3), 100],
  ["of no limit", shareInPercent(1, 0), null],
  ["of an unknown limit", shareInPercent(1, Number.NaN), null],
  ["of nothing known", shareInPercent(Number.NaN, 3), null],
  ["cores", cores(1.999_96), 2],
  ["no cores", cores(Number.NaN), null],
  ["bytes", whole(2 ** 52 + 0.4), 2 ** 52],
  ["no bytes", whole(null), null],
];
for (const [what, got, wanted] of cases) test(`rounding: ${what}`, () => assert.equal(got, wanted));

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
  const ticks = [
    now,
    readings({ a: { cpuPercent: 1 }, unknown: { cpuPercent: 9 }, b: { cpuPercent: 2 } }),
    { externalIds: ["a", "a", "b"], columns: now.columns },
  ];
  for (const given of ticks) {
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
