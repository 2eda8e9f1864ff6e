import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf, snapshotAt } from "../../../charts/history.fixture.ts";
import { pointsOf } from "../../../charts/points.ts";
import { formatRate } from "../../../format/bytes.ts";
import { cpuFigures, memoryFigures, networkFigures, summarise } from "./metrics-figures.ts";

const MIB = 2 ** 20;
const START = Date.parse("2026-11-21T04:00:00.000Z");
const POINTS = pointsOf(
  historyOf({ range: "6h", stepSeconds: 30 }, [START, START + 30_000, START + 60_000], {
    cpu_percent: [5, null, 20],
    cpu_percent_max: [6, null, 41],
    memory_bytes: [64 * MIB, null, 128 * MIB],
    memory_bytes_max: [64 * MIB, null, 130 * MIB],
    memory_limit_bytes: [256 * MIB, null, 256 * MIB],
    network_rx_bytes_per_second: [0, null, 2048],
  }),
);

test("figures show the point that is pointed at; a gap is a dash", () => {
  const [mean, highest] = cpuFigures(POINTS, null);
  assert.deepEqual([mean?.textAt(0), highest?.textAt(0)], ["5.0 %", "6.0 %"]);
  assert.deepEqual([mean?.textAt(1), highest?.textAt(1)], ["–", "–"]);
  assert.equal(memoryFigures(POINTS, null)[0]?.textAt(2), "128 MiB · 50 %");
});

test("at rest they show the current value, and the highest in the range", () => {
  const now = snapshotAt(START + 70_000, { cpu_percent: 12.3, memory_bytes: 64 * MIB, memory_limit_bytes: 256 * MIB });
  const rest = [...cpuFigures(POINTS, now), ...memoryFigures(POINTS, now)].map(({ textAt }) => textAt(undefined));
  assert.deepEqual(rest, ["12 %", "41 %", "64.0 MiB · 25 %", "130 MiB"]);
});

test("what does not run shows no use", () => {
  const rest = [...cpuFigures(POINTS, null), ...networkFigures(POINTS, null)].map(({ textAt }) => textAt(undefined));
  assert.deepEqual(rest, ["–", "41 %", "–", "–"]);
});

test("a chart is described in words", () => {
  const lines = [
    { name: "received", column: POINTS.network_rx_bytes_per_second },
    { name: "sent", column: POINTS.network_tx_bytes_per_second },
  ];
  assert.equal(
    summarise({ title: "Network", range: "the last 6 hours", lines, format: formatRate }),
    "Network in the last 6 hours: received latest 2.00 KiB/s, lowest 0 B/s, highest 2.00 KiB/s; sent no data.",
  );
});
