import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { RESOURCE_FAMILY } from "../../../src/monitoring/resources/index.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { createScheduler } from "../../../src/platform/scheduler.ts";
import type { Database } from "../../../src/storage/database.ts";
import { createSeriesStore } from "../../../src/storage/series/index.ts";
import { createFakeClock } from "../fake-clock.ts";
import { turnUntil } from "../turn-until.ts";
import { ACCESS } from "./access.ts";
import { ALERTING } from "./alerting.ts";
import { CHECKS } from "./checks.ts";
import { DELIVERIES } from "./deliveries.ts";
import { HOSTS } from "./hosts.ts";
import { ago, NOW_MS, type Row } from "./row.ts";
import { STATUS } from "./status.ts";
import { UPDATES } from "./updates.ts";

const TICK_MS = 10_000;
const SEALED_HOURS = 3;

type AnyTables = Record<string, Record<string, unknown>>;

/** Puts rows into every table of an empty database; always the same. */
export async function fillDatabase(database: Database): Promise<void> {
  const { write } = database.tables<AnyTables>();
  // What a migration inserted by itself is replaced.
  for (const table of ["update_scan_claim", "ping_gaps"]) await write((tx) => tx.deleteFrom(table).execute());
  const tables = Object.entries({ ...HOSTS, ...CHECKS, ...ALERTING, ...DELIVERIES, ...STATUS, ...UPDATES, ...ACCESS });
  for (const [table, rows] of tables)
    for (const row of rows)
      await write((tx) =>
        tx
          .insertInto(table)
          .values(row as Row & Record<string, unknown>)
          .execute(),
      );
  await fillSeries(database);
}

/** Three sealed hours of two containers, and a few minutes that are only in the journal. */
async function fillSeries(database: Database): Promise<void> {
  const clock = createFakeClock(new Date(NOW_MS));
  const scheduler = createScheduler(clock, silentLog);
  const retention = { detailMs: 2 * DAY_MS, minutesMs: 30 * DAY_MS, hoursMs: 400 * DAY_MS };
  const series = createSeriesStore({ database, family: RESOURCE_FAMILY, clock, scheduler, log: silentLog, retention });
  const append = (fromMs: number, ticks: number): Promise<void> =>
    series.appendAll(Array.from({ length: ticks }, (_, tick) => tickAt(fromMs + tick * TICK_MS)));
  await series.start();
  await append(ago(SEALED_HOURS * HOUR_MS), (SEALED_HOURS * HOUR_MS) / TICK_MS);
  await clock.advance(2 * MINUTE_MS);
  const journal = database.tables<AnyTables>().read.selectFrom("series_journal").select("id").limit(1);
  // Sealing waits for the grace of two minutes after the hour, and for its thread.
  await turnUntil(clock, async () => (await journal.execute()).length === 0, { stepMs: MINUTE_MS, mostMs: HOUR_MS });
  await append(NOW_MS, 12);
  await series.stop();
  await scheduler.stop();
}

function tickAt(atMs: number) {
  const step = (atMs / TICK_MS) % 60;
  const columns = [
    [20 + step / 2, 1.25],
    [50_000_000 + step * 4096, 80_000_000],
    [128_000_000, Number.NaN],
    [1000 + step, 0],
    [2000 + step, 0],
    [0, 4096],
    [step * 10, 0],
  ];
  return { atMs, ids: [1, 3], columns: columns.map((column) => Float64Array.from(column)) };
}
