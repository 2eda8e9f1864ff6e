import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createHeldScheduler } from "../../../test/support/held-scheduler.ts";
import { fragile } from "../../../test/support/fragile-database.ts";
import { createLogCapture, type LogCapture } from "../../../test/support/log-capture.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../database.ts";
import { createSeriesStore, type SeriesFigures, type SeriesStore, type SeriesStoreDependencies, type SeriesTick } from "./index.ts";

const TICK = 10_000;
const START = Date.UTC(2026, 2, 1, 12);
const COLUMNS = [
  { name: "cpu_percent", unit: 0.01 },
  { name: "memory_bytes", unit: 1 },
];
const RANGES = [
  { spanMs: HOUR_MS, stepMs: TICK },
  { spanMs: 6 * HOUR_MS, stepMs: 30_000 },
  { spanMs: DAY_MS, stepMs: 120_000 },
  { spanMs: 7 * DAY_MS, stepMs: 900_000 },
  { spanMs: 30 * DAY_MS, stepMs: HOUR_MS },
];

/** Raw samples by series and time, the truth that answers are held against. */
type Samples = Map<number, Map<number, [number, number]>>;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let scheduler: Scheduler;
  let log: LogCapture;
  let store: SeriesStore;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(new Date(START));
    log = createLogCapture();
    store = await open();
  });

  afterEach(close);

  async function open(options: Partial<SeriesStoreDependencies> = {}): Promise<SeriesStore> {
    scheduler = options.scheduler ?? createScheduler(clock, log.log);
    const opened = createSeriesStore({
      database,
      family: { number: 1, columns: COLUMNS },
      clock,
      scheduler,
      log: log.log,
      retention: { detailMs: 48 * HOUR_MS, minutesMs: 30 * DAY_MS, hoursMs: 400 * DAY_MS },
      ...options,
    });
    await opened.start();
    return opened;
  }

  async function close(): Promise<void> {
    await scheduler.stop();
    await store.stop();
  }

  async function restart(options: { maxHeadBytes?: number } = {}): Promise<void> {
    await close();
    store = await open(options);
  }

  /** Appends what the truth holds between two times, tick by tick. */
  async function append(samples: Samples, fromMs: number, toMs: number): Promise<void> {
    if (clock.now().getTime() < toMs) clock.jump(new Date(toMs));
    const ticks: SeriesTick[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs += TICK) {
      const ids = [...samples.keys()].filter((id) => samples.get(id)?.has(atMs));
      const column = (index: 0 | 1): Float64Array => Float64Array.from(ids, (id) => samples.get(id)?.get(atMs)?.[index] ?? Number.NaN);
      ticks.push({ atMs, ids, columns: [column(0), column(1)] });
    }
    const half = Math.ceil(ticks.length / 2);
    await Promise.all(ticks.slice(0, half).map((tick) => store.append(tick)));
    await store.appendAll(ticks.slice(half));
  }

  const count = async (table: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql.table(table)}`.execute(database.tables<object>().read);
    return Number(rows[0]?.n);
  };

  /** Lets the clock pass the grace after the hours that are over, and waits until they are sealed. */
  async function seal(): Promise<void> {
    const openHour = Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS;
    await until(
      async () => {
        await clock.advance(60_000);
        const { rows } = await sql<{ n: number }>`SELECT COUNT(*) AS n FROM series_journal WHERE at < ${openHour}`.execute(
          database.tables<object>().read,
        );
        return Number(rows[0]?.n) === 0;
      },
      // Not faster: where sealing takes long, days would pass that the detail does not outlive.
      { withinMs: 60_000, everyMs: 50 },
    );
  }

  const firstCpu = async (query: { id: number; fromMs: number; toMs: number; stepMs: number }): Promise<number[]> =>
    [...((await store.read(query))[0]?.mean ?? [])].map((each) => Math.round(each * 100) / 100);

  async function holdsAgainst(samples: Samples, nowMs: number, what: string): Promise<void> {
    const ids = [...samples.keys()];
    for (const { spanMs, stepMs } of RANGES) {
      const toMs = Math.ceil(nowMs / stepMs) * stepMs;
      const range = { fromMs: toMs - spanMs, toMs, stepMs };
      const each = await store.readEach({ ids, ...range });
      for (const id of ids) {
        const query = { id, ...range };
        const wanted = rounded(truth(samples, query));
        assert.deepEqual(rounded(await store.read(query)), wanted, `${what}: series ${id} over ${spanMs / HOUR_MS} h`);
        assert.deepEqual(rounded(each.get(id) ?? []), wanted, `${what}: series ${id} among all over ${spanMs / HOUR_MS} h`);
      }
    }
    const hour = { fromMs: START + HOUR_MS, toMs: START + 2 * HOUR_MS, stepMs: HOUR_MS };
    for (const [id, figures] of await store.readEach({ ids, ...hour }))
      assert.deepEqual(rounded(figures), rounded(truth(samples, { id, ...hour })), `${what}: series ${id} in an hour that is over`);
  }

  test("every range equals what the samples say, from journal, chunks and rollups alike, before and after a restart", async () => {
    const samples = recordedDay([1, 2, 9, 4000], START, 27 * HOUR_MS);
    const nowMs = START + 27 * HOUR_MS;
    for (let fromMs = START; fromMs < nowMs; fromMs += HOUR_MS) await append(samples, fromMs, fromMs + HOUR_MS);
    await holdsAgainst(samples, nowMs, "journal alone");
    await restart();
    await holdsAgainst(samples, nowMs, "journal read back");
    await seal();
    assert.equal(await count("series_journal"), 0);
    await holdsAgainst(samples, nowMs, "sealed");
    await restart();
    await holdsAgainst(samples, nowMs, "sealed and restarted");
  });

  test("late and replayed samples land in their place, and repeating them changes nothing", async () => {
    const samples = recordedDay([1, 2], START, 3 * HOUR_MS);
    const half: Samples = new Map([...samples].map(([id, all]) => [id, new Map([...all].filter(([atMs]) => atMs % (3 * TICK) !== 0))]));
    await append(half, START, START + 3 * HOUR_MS);
    await seal();
    await append(samples, START, START + 3 * HOUR_MS);
    const nowMs = clock.now().getTime();
    await holdsAgainst(samples, nowMs, "beside the chunks");
    await restart();
    await holdsAgainst(samples, nowMs, "read back");
    await seal();
    await holdsAgainst(samples, nowMs, "sealed into them");
    const changed: Samples = new Map([...samples].map(([id, all]) => [id, new Map([...all].map(([atMs]) => [atMs, [1, 1]]))]));
    await append(changed, START, START + 3 * HOUR_MS);
    await holdsAgainst(samples, nowMs, "another story is not believed");
    await seal();
    await holdsAgainst(samples, nowMs, "nor when it is sealed");
  });

  test("many samples are sealed before they fill the memory, of the present hour too", async () => {
    await restart({ maxHeadBytes: 4_000 });
    const ids = Array.from({ length: 50 }, (_, id) => id + 1);
    const column = new Float64Array(ids.length).fill(1);
    const atMs = (tick: number): number => START - 5 * HOUR_MS + tick * 1_800_000;
    for (let tick = 0; tick <= 10; tick += 1) await store.append({ atMs: atMs(tick), ids, columns: [column, column] });
    assert.ok((await count("series_chunks")) > 0);
    assert.ok((await count("series_journal")) < 11);
    assert.deepEqual(
      await firstCpu({ id: 50, fromMs: START - 5 * HOUR_MS, toMs: START + HOUR_MS, stepMs: HOUR_MS }),
      Array<number>(6).fill(1),
    );
  });

  test("what is too old, too far ahead or absurd is left out", async () => {
    const tick = (atMs: number, cpu: number): Promise<void> =>
      store.append({ atMs, ids: [1], columns: [Float64Array.of(cpu), Float64Array.of(2 ** 50)] });
    await tick(START - 49 * HOUR_MS, 1);
    await tick(START + HOUR_MS, 2);
    assert.equal(await count("series_journal"), 0);
    await tick(START, -3);
    const [cpu, memory] = await store.read({ id: 1, fromMs: START, toMs: START + TICK, stepMs: TICK });
    assert.deepEqual([cpu?.mean[0], memory?.mean[0]], [Number.NaN, Number.NaN]);
    await assert.rejects(tick(START + 1, 1), RangeError);
    const before = await count("series_journal");
    const good = { atMs: START + TICK, ids: [1], columns: [Float64Array.of(1), Float64Array.of(1)] };
    await assert.rejects(store.appendAll([good, { ...good, atMs: START + 1 }]), RangeError);
    await store.appendAll([
      { ...good, atMs: START + HOUR_MS },
      { ...good, ids: [] },
    ]);
    assert.equal(await count("series_journal"), before);
    await assert.rejects(store.read({ id: 1, fromMs: START, toMs: START + TICK, stepMs: 7000 }), RangeError);
  });

  test("corrupt bytes are reported and left out, in the journal and in chunks", async () => {
    const samples = recordedDay([1], START - HOUR_MS, 2 * HOUR_MS);
    await append(samples, START - HOUR_MS, START + 5 * 60_000);
    await database
      .tables<object>()
      .write((tx) => sql`UPDATE series_journal SET bytes = ${Buffer.from("torn")} WHERE at = ${START + TICK}`.execute(tx));
    await restart();
    assert.match(log.text(), /corrupt tick of the journal left out/);
    assert.equal((await store.read({ id: 1, fromMs: START, toMs: START + 3 * TICK, stepMs: TICK }))[0]?.mean[1], Number.NaN);
    await seal();
    await database.tables<object>().write((tx) => sql`UPDATE series_chunks SET bytes = ${Buffer.from("torn")} WHERE level = 0`.execute(tx));
    const hour = await store.read({ id: 1, fromMs: START - HOUR_MS, toMs: START, stepMs: TICK });
    assert.ok(hour[0]?.mean.every(Number.isNaN));
    assert.match(log.text(), /corrupt series left out/);
    const byMinutes = await store.read({ id: 1, fromMs: START - HOUR_MS, toMs: START, stepMs: 60_000 });
    assert.ok(!byMinutes[0]?.mean.every(Number.isNaN), "the other levels still answer");
  });

  test("each level goes when its time is over, whole chunks at a time", async () => {
    await append(recordedDay([1, 9], START, HOUR_MS), START, START + HOUR_MS);
    await clock.advance(HOUR_MS + 200_000);
    await until(async () => (await count("series_chunks")) === 6);
    for (const [afterMs, left] of [
      [50 * HOUR_MS, 4],
      [31 * DAY_MS, 2],
      [402 * DAY_MS, 0],
    ] as const) {
      clock.jump(new Date(START + afterMs));
      await turnUntil(clock, async () => (await count("series_chunks")) === left, { stepMs: 600_000, mostMs: 6 * HOUR_MS });
    }
  });

  test("what came late is in the rollups before its detail goes, also when sealing was put off", async () => {
    const samples = recordedDay([1], START, HOUR_MS);
    const some = (isWanted: (tick: number) => boolean): Samples =>
      new Map([...samples].map(([id, all]) => [id, new Map([...all].filter(([atMs]) => isWanted(atMs / TICK)))]));
    await append(
      some((tick) => tick % 2 === 0),
      START,
      START + HOUR_MS,
    );
    await seal();
    await append(
      some((tick) => tick % 2 === 1),
      START,
      START + HOUR_MS,
    );
    const release = await store.hold();
    clock.jump(new Date(START + 50 * HOUR_MS));
    await clock.advance(1_300_000);
    release();
    await turnUntil(clock, async () => (await count("series_chunks")) === 2, { stepMs: 60_000, mostMs: 6 * HOUR_MS });
    const query = { id: 1, fromMs: START, toMs: START + HOUR_MS, stepMs: HOUR_MS };
    assert.deepEqual(rounded(await store.read(query)), rounded(truth(samples, query)));
  });

  test("what is held is listed by kind, with what a day adds", async () => {
    await append(recordedDay([1], START, 4 * HOUR_MS), START, START + 4 * HOUR_MS);
    await seal();
    const kinds = Object.fromEntries((await store.bytes()).map((each) => [each.kind, each]));
    assert.deepEqual(Object.keys(kinds), ["journal", "detail", "minutes", "hours"]);
    assert.equal(kinds["journal"]?.bytes, 0);
    for (const level of ["detail", "minutes", "hours"]) assert.equal(kinds[level]?.oldest?.getTime(), START, level);
    // By the whole hours since the first.
    const hours = Math.floor((clock.now().getTime() - START) / HOUR_MS);
    assert.equal(Math.round(kinds["detail"]?.bytesPerDay ?? 0), Math.round(((kinds["detail"]?.bytes ?? 0) * 24) / hours));
  });

  test("a clock that jumps while hours are sealed costs no figure of what came meanwhile", async () => {
    await close();
    const { wrapped, holdNext } = fragile(database);
    const tasks = createHeldScheduler();
    store = await open({ database: wrapped, scheduler: tasks.scheduler });
    const send = (minute: number, cpu: number): Promise<void> =>
      store.append({ atMs: START + minute * 60_000, ids: [1], columns: [Float64Array.of(cpu), Float64Array.of(4096)] });
    clock.jump(new Date(START + HOUR_MS + 600_000));
    await send(5, 10);
    const held = holdNext();
    const retention = tasks.run("series retention");
    await held.reached;
    await send(15, 30);
    clock.jump(new Date(START + 31 * DAY_MS));
    held.release();
    await retention;

    const hour = { id: 1, fromMs: START, toMs: START + HOUR_MS, stepMs: HOUR_MS };
    assert.deepEqual(await firstCpu(hour), [20]);
    await tasks.run("sealing of series");
    assert.deepEqual(await firstCpu(hour), [20]);
  });
});

function truth(
  samples: Samples,
  { id, fromMs, toMs, stepMs }: { id: number; fromMs: number; toMs: number; stepMs: number },
): SeriesFigures[] {
  return ([0, 1] as const).map((index) => {
    const unit = COLUMNS[index]?.unit ?? 1;
    const steps = (toMs - fromMs) / stepMs;
    const figures = { mean: new Float64Array(steps), min: new Float64Array(steps), max: new Float64Array(steps) };
    const bySteps = Map.groupBy(
      [...(samples.get(id) ?? [])].filter(([atMs]) => atMs >= fromMs && atMs < toMs),
      ([atMs]) => Math.floor((atMs - fromMs) / stepMs),
    );
    for (let step = 0; step < steps; step += 1) {
      const values = (bySteps.get(step) ?? [])
        .map(([, sample]) => Math.round(sample[index] / unit))
        .filter((value) => !Number.isNaN(value));
      figures.mean[step] = (values.reduce((sum, value) => sum + value, 0) / values.length) * unit;
      figures.min[step] = values.length === 0 ? Number.NaN : Math.min(...values) * unit;
      figures.max[step] = values.length === 0 ? Number.NaN : Math.max(...values) * unit;
    }
    return figures;
  });
}

function rounded(figures: readonly SeriesFigures[]): number[][][] {
  return figures.map(({ mean, min, max }) => [mean, min, max].map((values) => [...values].map((value) => Math.round(value * 1e4) / 1e4)));
}

/** A day as hosts live it: idle and busy containers, some that come, go, pause, or cannot measure one of the figures. */
function recordedDay(ids: readonly number[], startMs: number, spanMs: number): Samples {
  let seed = 7;
  const random = (): number => ((seed = (seed * 16_807) % 2_147_483_647) - 1) / 2_147_483_646;
  return new Map(
    ids.map((id) => {
      const of = new Map<number, [number, number]>();
      let memory = 50_000_000 + Math.round(random() * 1e6) * 4096;
      let away = false;
      for (let atMs = startMs; atMs < startMs + spanMs; atMs += TICK) {
        if (random() < 0.002) away = !away;
        if (away) continue;
        memory = Math.max(4096, memory + (random() < 0.3 ? Math.round(random() * 20 - 10) * 4096 : 0));
        const cpu = Math.round((id % 2 === 0 ? random() * 3 : 40 + random() * 50) * 100) / 100;
        of.set(atMs, [random() < 0.01 ? Number.NaN : cpu, memory]);
      }
      return [id, of];
    }),
  );
}
