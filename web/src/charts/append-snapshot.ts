/** History that grows with what hosts report, so that it need not be read again. */
import { READING_INTERVAL_MS } from "../../../src/contract/thresholds.ts";
import type { SnapshotData } from "../../../src/events.ts";
import type { History } from "../../../src/monitoring/resources/answers.ts";
import { SPANS_MS } from "../../../src/contract/ranges.ts";

type Series = History["series"];
type Column = Exclude<keyof Series, "timestamps">;
type Columns = Record<Column, (number | null)[]>;

/** What each column takes from a snapshot, and what the readings of one step make together. */
const COLUMNS: Record<Column, { of: Exclude<keyof SnapshotData, "container_id" | "timestamp">; join: "mean" | "max" | "last" }> = {
  cpu_percent: { of: "cpu_percent", join: "mean" },
  cpu_percent_max: { of: "cpu_percent", join: "max" },
  memory_bytes: { of: "memory_bytes", join: "mean" },
  memory_bytes_max: { of: "memory_bytes", join: "max" },
  memory_limit_bytes: { of: "memory_limit_bytes", join: "last" },
  network_rx_bytes_per_second: { of: "network_rx_bytes_per_second", join: "mean" },
  network_tx_bytes_per_second: { of: "network_tx_bytes_per_second", join: "mean" },
  disk_read_bytes_per_second: { of: "disk_read_bytes_per_second", join: "mean" },
  disk_write_bytes_per_second: { of: "disk_write_bytes_per_second", join: "mean" },
};
const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

/** What the last step of a grown history is made of; an answer of the server does not say. */
interface Grown extends History {
  lastStep?: { lastAtMs: number; counts: Record<Column, number> };
}

/**
 * The history with one more reading. It joins the last step or begins a new one; steps without a reading in between are gaps, and what
 * leaves the range is dropped. A reading that is older than what is known changes nothing: the same object comes back. The mean of a step
 * that began here is exact; of one that an answer brought half-done, every reading before this one is taken to have succeeded.
 */
export function appendSnapshot(history: History, snapshot: SnapshotData): History {
  const { series } = history;
  const stepMs = history.step_seconds * 1000;
  const atMs = Date.parse(snapshot.timestamp);
  const known = (history as Grown).lastStep;
  const lastMs = series.timestamps.length === 0 ? Number.NEGATIVE_INFINITY : Date.parse(series.timestamps.at(-1) ?? "");
  if (atMs < lastMs || (known !== undefined && atMs <= known.lastAtMs)) return history;

  // Steps lie on whole multiples of their length.
  const stepAtMs = Math.floor(atMs / stepMs) * stepMs;
  const joins = stepAtMs <= lastMs;
  const before = joins ? (known?.counts ?? assumedCounts(series, (atMs - lastMs) / READING_INTERVAL_MS)) : NO_COUNTS;
  const fromMs = Math.max(stepAtMs, lastMs) - SPANS_MS[history.range];

  const timestamps = joins ? series.timestamps : [...series.timestamps, ...newSteps({ lastMs, stepAtMs, stepMs, fromMs })];
  const firstKept = Math.max(
    0,
    timestamps.findIndex((timestamp) => Date.parse(timestamp) > fromMs),
  );
  const counts = { ...before };
  const columns = Object.fromEntries(
    COLUMN_NAMES.map((name) => {
      const value = snapshot[COLUMNS[name].of];
      const column = Array.from(timestamps.slice(firstKept), (_, index) => series[name][index + firstKept] ?? null);
      const last = joins ? (column.at(-1) ?? null) : null;
      if (column.length > 0) column[column.length - 1] = joined(name, last, before[name], value);
      if (value !== null) counts[name] += 1;
      return [name, column];
    }),
  ) as Columns;

  const grown: Grown = {
    ...history,
    series: { timestamps: timestamps.slice(firstKept), ...columns },
    breaches: history.breaches.filter(({ resolved_at }) => resolved_at === null || Date.parse(resolved_at) > fromMs),
    lastStep: { lastAtMs: atMs, counts },
  };
  return grown;
}

/** The value of a step that `count` readings had made `known`, after one more. */
function joined(name: Column, known: number | null, count: number, value: number | null): number | null {
  if (value === null || known === null) return value ?? known;
  switch (COLUMNS[name].join) {
    case "mean":
      return (known * count + value) / (count + 1);
    case "max":
      return Math.max(known, value);
    case "last":
      return value;
  }
}

/** The steps after the last one until the new one; those that would be out of range at once are left out. */
function newSteps({ lastMs, stepAtMs, stepMs, fromMs }: Record<"lastMs" | "stepAtMs" | "stepMs" | "fromMs", number>): string[] {
  const steps: string[] = [];
  const firstMs = Number.isFinite(lastMs) ? lastMs + stepMs : stepAtMs;
  for (let atMs = stepAtMs; atMs >= firstMs && atMs > fromMs; atMs -= stepMs) steps.push(new Date(atMs).toISOString());
  return steps.toReversed();
}

function assumedCounts(series: Series, ticksBefore: number): Record<Column, number> {
  const count = (name: Column): number => (series[name].at(-1) === null ? 0 : Math.max(1, Math.round(ticksBefore)));
  return countsOf(count);
}

const NO_COUNTS = countsOf(() => 0);

function countsOf(count: (name: Column) => number): Record<Column, number> {
  return Object.fromEntries(COLUMN_NAMES.map((name) => [name, count(name)])) as Record<Column, number>;
}
