import { HOUR_MS } from "../../src/contract/time.ts";
import type { Clock } from "../../src/platform/clock.ts";
import type { Log } from "../../src/platform/log.ts";
import type { Scheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore, type SeriesStore, type SeriesTick } from "../../src/storage/series/index.ts";

/** Series whose every value follows from its series and its time, so that two processes agree on what must be there. */
const COLUMNS = [
  { name: "cpu_percent", unit: 0.01 },
  { name: "memory_bytes", unit: 1 },
  { name: "network_rx_bytes_per_second", unit: 1 },
] as const;

/** Ten bundles and a bit. */
export const IDS: readonly number[] = Array.from({ length: 81 }, (_, index) => index + 1);

export const RETENTION = { detailMs: 4 * HOUR_MS, minutesMs: 12 * HOUR_MS, hoursMs: 36 * HOUR_MS };

/** In whole units, by columns; undefined when the series is not in the tick of that time, NaN where it was not measured. */
export function unitsAt(id: number, atMs: number): number[] | undefined {
  const dice = mixed(id, atMs);
  if (dice % 16 === 0) return undefined;
  const busy = id % 3 === 0;
  return [
    dice % 23 === 0 ? Number.NaN : (dice >>> 3) % (busy ? 10_000 : 300),
    4096 * (10_000 + ((dice >>> 5) % (busy ? 5000 : 7))),
    id % 2 === 0 ? 0 : (dice >>> 2) % 1_000_000,
  ];
}

/** What is kept of all series at a time. */
export function tickAt(atMs: number): SeriesTick {
  const rows = IDS.flatMap((id) => {
    const units = unitsAt(id, atMs);
    return units === undefined ? [] : [{ id, units }];
  });
  return {
    atMs,
    ids: rows.map(({ id }) => id),
    columns: COLUMNS.map(({ unit }, column) => Float64Array.from(rows, ({ units }) => (units[column] ?? Number.NaN) * unit)),
  };
}

/** A figure in whole units of its column. */
export function inUnits(column: number, value: number): number {
  return value / (COLUMNS[column]?.unit ?? 1);
}

export function openKnownSeries(parts: { database: Database; clock: Clock; scheduler: Scheduler; log: Log }): SeriesStore {
  return createSeriesStore({ ...parts, family: { number: 1, columns: COLUMNS }, retention: RETENTION });
}

/** A number that looks random, from 0 to 2^32. */
function mixed(id: number, atMs: number): number {
  let hash = (Math.imul(id, 0x9e_37_79_b1) ^ Math.imul(atMs / 10_000, 0x85_eb_ca_6b)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x29_7a_2d_39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
