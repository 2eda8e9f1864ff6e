import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { COLUMN, RESOURCE_FAMILY } from "../../monitoring/resources/index.ts";
import {
  addBucket,
  columnsOf,
  DETAIL,
  emptyRollup,
  encodeColumns,
  encodeTick,
  HOURS,
  MINUTES,
  packBundle,
  quantize,
  rollUpValues,
} from "../../storage/series/index.ts";
import { noise, seedOf } from "../world/noise.ts";
import { createUsage } from "../world/usage.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

type Rollups = ReturnType<typeof emptyRollup>[];

/** Figures are kept by the ten seconds, by the minute and by the hour, as far back as people look at them so closely. */
const DETAIL_MS = 8 * HOUR_MS;
const MINUTES_MS = 8 * DAY_MS;
const HOURS_MS = 92 * DAY_MS;
const SERIES_A_ROW = 8;
const SLOTS = HOUR_MS / DETAIL.stepMs;
const COLUMNS = RESOURCE_FAMILY.columns.length;

/** What the containers used until the start of the demo, as the series store keeps it: whole hours in chunks, the hour under way in its journal. */
export function seriesRows(past: readonly PastContainer[], moments: Moments): Rows[] {
  return [
    { table: "series_chunks", rows: chunkRows(past, moments) },
    { table: "series_journal", rows: journalRows(past, moments) },
  ];
}

function* journalRows(past: readonly PastContainer[], { nowMs, updatedMs }: Moments): Generator<Row> {
  const makers = past.map((each) => ({ id: each.id, valuesAt: makerOf(each, updatedMs).valuesAt }));
  for (let atMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS; atMs < nowMs; atMs += DETAIL.stepMs) {
    const read = makers.flatMap(({ id, valuesAt }) => {
      const values = valuesAt(atMs);
      return values === undefined ? [] : [{ id, values }];
    });
    const columns = RESOURCE_FAMILY.columns.map((_, column) => Float64Array.from(read, ({ values }) => values[column] ?? Number.NaN));
    const tick = quantize({ atMs, ids: read.map(({ id }) => id), columns }, RESOURCE_FAMILY.columns);
    yield { family: RESOURCE_FAMILY.number, at: atMs, bytes: encodeTick(tick) };
  }
}

function* chunkRows(past: readonly PastContainer[], { nowMs, updatedMs }: Moments): Generator<Row> {
  const bundles = Map.groupBy(past, ({ id }) => Math.floor(id / SERIES_A_ROW));
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const startMs = endMs - HOURS_MS;
  for (const [bundle, members] of bundles) {
    const makers = members.map((each) => ({ place: each.id % SERIES_A_ROW, ...makerOf(each, updatedMs) }));
    for (let dayMs = Math.floor(startMs / DAY_MS) * DAY_MS; dayMs < endMs; dayMs += DAY_MS) {
      const hours = new Map(makers.map(({ place }) => [place, rollups(HOURS.spanMs / HOURS.stepMs)]));
      for (let hourMs = Math.max(dayMs, startMs); hourMs < Math.min(dayMs + DAY_MS, endMs); hourMs += HOUR_MS) {
        const slot = (hourMs - dayMs) / HOUR_MS;
        const detail = new Map<number, Uint8Array>();
        const minutes = new Map<number, Uint8Array>();
        for (const { place, hour, minuteGrid, detailGrid } of makers) {
          const target = hours.get(place) ?? [];
          if (hourMs < endMs - MINUTES_MS) {
            hour(hourMs, target, slot);
            continue;
          }
          const grid = hourMs < endMs - DETAIL_MS ? minuteGrid(hourMs) : detailGrid(hourMs);
          const byMinute = grid.map((column) => rollUpValues(column, column.length / 60));
          byMinute.forEach((column, index) => {
            const into = target[index];
            if (into !== undefined) for (let minute = 0; minute < 60; minute += 1) addBucket(into, slot, column, minute);
          });
          minutes.set(place, encodeColumns(byMinute.flatMap(columnsOf)));
          if (grid[0]?.length === SLOTS) detail.set(place, encodeColumns(grid));
        }
        if (minutes.size > 0) yield row(MINUTES.number, bundle, hourMs, packBundle(minutes, { compress: false }));
        if (detail.size > 0) yield row(DETAIL.number, bundle, hourMs, packBundle(detail, { compress: true }));
      }
      const chunks = new Map([...hours].map(([place, columns]) => [place, encodeColumns(columns.flatMap(columnsOf))]));
      yield row(HOURS.number, bundle, dayMs, packBundle(chunks, { compress: false }));
    }
  }
}

function row(level: number, bundle: number, startAt: number, bytes: Uint8Array): Row {
  return { family: RESOURCE_FAMILY.number, level, bundle, start_at: startAt, bytes, size: bytes.length };
}

function rollups(buckets: number): Rollups {
  return Array.from({ length: COLUMNS }, () => emptyRollup(buckets));
}

/** Makes the figures of one container, more or less closely. */
function makerOf({ container, incidents }: PastContainer, updatedMs: number) {
  const usage = createUsage(container, { updatedMs });
  const seed = seedOf(container.name);
  const { cpuCount } = container.host;
  const limit = container.limitMib === null ? container.host.memoryBytes : container.limitMib * 1024 ** 2;
  const isGone = (atMs: number): boolean =>
    container.fate === "completed" ||
    (container.fate === "crashing" && atMs >= updatedMs) ||
    incidents.some(({ kind, fromMs, untilMs }) => kind !== "unhealthy" && atMs >= fromMs && atMs < untilMs);

  function values(atMs: number, level: number): number[] {
    const { cores, memoryBytes, rxPerSecond, txPerSecond, readPerSecond, writePerSecond } = usage.at(atMs, level);
    const all = Array.from({ length: COLUMNS }, () => Number.NaN);
    all[COLUMN.cpu_percent] = Math.round(Math.min(100, (cores / cpuCount) * 100) * 100);
    all[COLUMN.memory_bytes] = memoryBytes;
    all[COLUMN.memory_limit_bytes] = limit;
    all[COLUMN.network_rx_bytes_per_second] = rxPerSecond;
    all[COLUMN.network_tx_bytes_per_second] = txPerSecond;
    all[COLUMN.disk_read_bytes_per_second] = readPerSecond;
    all[COLUMN.disk_write_bytes_per_second] = writePerSecond;
    return all;
  }
  function gridOf(hourMs: number, slots: number): Float64Array[] {
    const grid = Array.from({ length: COLUMNS }, () => new Float64Array(slots).fill(Number.NaN));
    const stepMs = HOUR_MS / slots;
    const [from, to] = [usage.levelAt(hourMs), usage.levelAt(hourMs + HOUR_MS)];
    for (let slot = 0; slot < slots; slot += 1) {
      const atMs = hourMs + slot * stepMs;
      if (isGone(atMs)) continue;
      const part = slot / slots;
      const all = values(atMs, from * (1 - part) + to * part);
      for (let column = 0; column < COLUMNS; column += 1) (grid[column] as Float64Array)[slot] = all[column] ?? Number.NaN;
    }
    return grid;
  }
  return {
    /** In the units of a reading; undefined while it does not run. */
    valuesAt(atMs: number): number[] | undefined {
      if (isGone(atMs)) return undefined;
      return values(atMs, usage.levelAt(atMs)).map((value, column) => value * (RESOURCE_FAMILY.columns[column]?.unit ?? 1));
    },
    detailGrid: (hourMs: number) => gridOf(hourMs, SLOTS),
    /** A value a minute. */
    minuteGrid: (hourMs: number) => gridOf(hourMs, 60),
    /** The hour as a whole: its mean, and how far it spread. */
    hour(hourMs: number, target: Rollups, slot: number): void {
      if (isGone(hourMs) && container.fate === "completed") return;
      const all = values(hourMs + HOUR_MS / 2, usage.levelAt(hourMs + HOUR_MS / 2));
      const count = SLOTS;
      for (const [column, into] of target.entries()) {
        const value = all[column] ?? Number.NaN;
        const isFixed = column === COLUMN.memory_limit_bytes;
        const spread = isFixed ? 0 : column === COLUMN.memory_bytes ? 0.02 : 0.2 + 0.1 * noise(seed, 30 + column, slot);
        into.count[slot] = count;
        into.min[slot] = Math.floor(value * (1 - spread));
        into.max[slot] =
          column === COLUMN.memory_bytes ? Math.min(limit, Math.ceil(value * (1 + spread))) : Math.ceil(value * (1 + spread));
        into.sum[slot] = Math.round(value * count);
      }
    },
  };
}
