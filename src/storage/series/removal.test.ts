import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { sql } from "kysely";
import { HOUR_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../database.ts";
import { createSeriesStore, type SeriesStore } from "./index.ts";

const START = Date.UTC(2026, 2, 1, 12);
/** A bundle that goes wholly, and two series of one that stays. */
const GOING = [8, 9, 10, 11, 12, 13, 14, 15, 17, 19];
const STAYING = [16, 18, 24];
const HOURS = 60;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let scheduler: Scheduler;
  let store: SeriesStore;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(new Date(START));
    await open();
    for (let hour = 0; hour < HOURS; hour += 1) await measure(START + hour * HOUR_MS);
    await turnUntil(clock, async () => (await count("series_journal")) === 0, { stepMs: 30_000, mostMs: 3_600_000, everyMs: 50 });
    await measure(START + HOURS * HOUR_MS);
  });

  afterEach(close);

  async function open(): Promise<void> {
    scheduler = createScheduler(clock, silentLog);
    const retention = { detailMs: 480 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };
    const family = { number: 1, columns: [{ name: "cpu", unit: 0.01 }] };
    store = createSeriesStore({ database, family, clock, scheduler, log: silentLog, retention });
    await store.start();
  }

  async function close(): Promise<void> {
    await scheduler.stop();
    await store.stop();
  }

  async function measure(atMs: number): Promise<void> {
    clock.jump(new Date(atMs + HOUR_MS + 150_000));
    await store.append({ atMs, ids: GOING, columns: [Float64Array.from(GOING)] });
    await store.append({ atMs, ids: STAYING, columns: [Float64Array.from(STAYING)] });
  }

  async function count(table: string): Promise<number> {
    const { rows } = await sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql.table(table)}`.execute(database.tables<object>().read);
    return Number(rows[0]?.n);
  }

  const figures = (id: number) => store.read({ id, fromMs: START, toMs: START + (HOURS + 1) * HOUR_MS, stepMs: HOUR_MS });
  const isMeasured = async (id: number): Promise<boolean> =>
    (await figures(id)).some(({ mean }) => mean.some((value) => !Number.isNaN(value)));
  const measured = async (ids: readonly number[]): Promise<number[]> =>
    (await Promise.all(ids.map(async (id) => ((await isMeasured(id)) ? [id] : [])))).flat();

  async function remove(fails = false): Promise<void> {
    const release = await store.hold();
    const ids = new Set(GOING);
    try {
      await database.tables<object>().write(async (tx) => {
        await store.purge(tx, ids);
        if (fails) throw new Error("not now");
      });
      store.forget(ids);
    } finally {
      release();
    }
  }

  const isFreed = async (): Promise<boolean> => (await count("series_removals")) === 0;
  const free = (): Promise<void> => turnUntil(clock, isFreed, { stepMs: 1_000, mostMs: 60_000, everyMs: 20 });

  it("nothing of deleted series is read from the commit on, nor after a restart; their rows are not touched in that unit", async () => {
    const before = await Promise.all(STAYING.map(figures));
    const rows = await count("series_chunks");
    await remove();
    assert.equal(await count("series_chunks"), rows);
    assert.deepEqual(await measured([...GOING, ...STAYING]), STAYING);
    const hour = await store.readEach({ ids: [...GOING, ...STAYING], fromMs: START, toMs: START + HOUR_MS, stepMs: HOUR_MS });
    assert.deepEqual(
      [...hour].filter(([, [cpu]]) => !Number.isNaN(cpu?.mean[0])).map(([id]) => id),
      STAYING,
    );
    await close();
    await open();
    assert.deepEqual(await measured([...GOING, ...STAYING]), STAYING);
    assert.deepEqual(await Promise.all(STAYING.map(figures)), before);
  });

  it("their space is freed in steps, also when the program ended meanwhile, and neighbours keep all of theirs", async () => {
    const before = await Promise.all(STAYING.map(figures));
    await remove();
    const bytes = async (): Promise<number> => (await store.bytes()).reduce((sum, each) => sum + each.bytes, 0);
    const used = await bytes();
    await close();
    await open();
    await free();
    assert.ok((await bytes()) < used / 2, "more than half is free");
    const { rows } = await sql<{ bundle: number }>`SELECT DISTINCT bundle FROM series_chunks ORDER BY bundle`.execute(
      database.tables<object>().read,
    );
    assert.deepEqual(
      rows.map(({ bundle }) => bundle),
      [2, 3],
    );
    assert.deepEqual(await measured([...GOING, ...STAYING]), STAYING);
    assert.deepEqual(await Promise.all(STAYING.map(figures)), before);
    await close();
    await open();
    assert.deepEqual(await measured([...GOING, ...STAYING]), STAYING);
  });

  it("changes nothing when the unit fails", async () => {
    await assert.rejects(remove(true), /not now/);
    assert.equal(await isFreed(), true);
    assert.deepEqual(await measured(GOING), GOING);
  });
});
