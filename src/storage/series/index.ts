import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../database.ts";
import { createComputer } from "./computer.ts";
import { CorruptBytes } from "./envelope.ts";
import { createHead } from "./head.ts";
import { DETAIL, levelNamed, startOf } from "./rollup.ts";
import { createReading } from "./reading.ts";
import { createRemovals, createRetention, type Retention } from "./removal.ts";
import { createSealing } from "./sealing.ts";
import type { SeriesColumn, SeriesStore, SeriesTick } from "./series.ts";
import { createSeriesTables, type JournalRow } from "./store.ts";
import { decodeTick, encodeTick, quantize } from "./columns.ts";

export { packBundle } from "./bundle.ts";
export { decodeColumns, encodeColumns, encodeTick, quantize } from "./columns.ts";
export { CorruptBytes, open as openBytes, seal as sealBytes } from "./envelope.ts";
export { DETAIL, HOURS, MINUTES } from "./rollup.ts";
export { addBucket, columnsOf, emptyRollup, rollUpValues } from "./rollup.ts";
export type { Retention } from "./removal.ts";
export type { KindOfBytes, SeriesColumn, SeriesFigures, SeriesStore, SeriesTick } from "./series.ts";

const SEAL_EVERY_MS = MINUTE_MS;
const FREE_EVERY_MS = 10_000;
/** How long after its end an hour is sealed, since the last ticks may be late. */
const GRACE_MS = 2 * MINUTE_MS;
/** The memory of samples beyond which they are sealed early, as during a replay of many hours or with thousands of containers. */
const MAX_HEAD_BYTES = 64 * 1024 * 1024;
/** How far ahead a tick may be, by an agent's clock. Beyond this it is not accepted. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;
const JOURNAL_PAGE = 20;

export interface SeriesStoreDependencies {
  database: Database;
  /** `number` identifies the family in the tables and never changes; columns are only added at the end. */
  family: { number: number; columns: readonly SeriesColumn[] };
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  retention: Retention;
  maxHeadBytes?: number;
}

/** Opens a family of series in a database; see {@link SeriesStore}. */
export function createSeriesStore(dependencies: SeriesStoreDependencies): SeriesStore {
  const { database, family, clock, scheduler, log, maxHeadBytes = MAX_HEAD_BYTES } = dependencies;
  const store = createSeriesTables(database, family.number);
  const head = createHead(family.columns.length);
  const computer = createComputer(clock);
  const sealing = createSealing({ head, store, computer, columnCount: family.columns.length, log });
  const retention = createRetention({ store, clock, log, retention: dependencies.retention });
  const removals = createRemovals({ store, hold: sealing.hold });
  const endTasks: (() => void)[] = [];

  async function readJournal(): Promise<void> {
    for (let afterId = 0; ;) {
      const rows = await store.journal(afterId, JOURNAL_PAGE);
      const last = rows.at(-1);
      if (last === undefined) return;
      const unreadable = rows.filter((row) => !takeRow(row));
      await store.removeFromJournal(unreadable.map(({ id }) => id));
      afterId = last.id;
    }
  }

  /** False when the row is corrupt. */
  function takeRow({ id, at, bytes }: JournalRow): boolean {
    try {
      head.put(decodeTick(at, bytes, family.columns.length), id);
      return true;
    } catch (error) {
      if (!(error instanceof CorruptBytes)) throw error;
      log.warn({ at: new Date(at).toISOString(), reason: error.message }, "corrupt tick of the journal left out");
      return false;
    }
  }

  async function appendAll(ticks: readonly SeriesTick[]): Promise<void> {
    const other = ticks.find(({ atMs }) => atMs % DETAIL.stepMs !== 0);
    if (other !== undefined) throw new RangeError(`${other.atMs} is not a whole multiple of ${DETAIL.stepMs} ms`);
    const latestMs = clock.now().getTime() + MAX_AHEAD_MS;
    const oldestMs = retention.oldestDetailMs();
    const whole = ticks
      .filter(({ atMs, ids }) => ids.length > 0 && atMs >= oldestMs && atMs <= latestMs)
      .map((tick) => quantize(tick, family.columns));
    if (whole.length === 0) return;
    const journalIds = await store.append(whole.map((tick) => ({ at: tick.atMs, bytes: encodeTick(tick) })));
    for (const [index, tick] of whole.entries()) head.put(tick, idAt(journalIds, index));
    const isFull = (): boolean => head.bytes() > maxHeadBytes;
    if (isFull()) await sealing.sealBefore(Infinity, { ifStill: isFull });
  }

  return {
    ...createReading({ family: family.columns, head, store, computer, isRemoved: removals.has, log }),
    bytes: retention.bytes,
    oldestMs: (kind) => store.oldestMs(levelNamed(kind)),
    dropOldest(kind, { beforeMs, neededBytes }) {
      const level = levelNamed(kind);
      return store.dropOldest(level, beforeMs - level.spanMs, neededBytes);
    },
    append: (tick) => appendAll([tick]),
    appendAll,
    hold: sealing.hold,
    purge: (unit, ids) => store.purge(unit, ids, head.journalIdsOf(ids)),
    forget(ids) {
      head.forget(ids);
      removals.add(ids);
    },
    async start() {
      await removals.start();
      await readJournal();
      const seal = (nowMs = clock.now().getTime()): Promise<boolean> => sealing.sealBefore(startOf(nowMs - GRACE_MS, DETAIL));
      endTasks.push(
        scheduler.every({ name: "sealing of series", everyMs: SEAL_EVERY_MS, firstAfterMs: 20_000, run: async () => void (await seal()) }),
        scheduler.every({ name: "space of deleted series", everyMs: FREE_EVERY_MS, run: removals.free }),
        scheduler.every({
          name: "series retention",
          everyMs: 10 * MINUTE_MS,
          firstAfterMs: 45_000,
          async run(signal) {
            // Waiting samples must be in the rollups before their detail is dropped. One moment for both steps: the clock may jump while hours are
            // sealed, and ticks that came meanwhile still need the detail of their hour.
            const nowMs = clock.now().getTime();
            if (await seal(nowMs)) await retention.run(nowMs, signal);
          },
        }),
      );
    },
    async stop() {
      for (const end of endTasks.splice(0)) end();
      await sealing.stop();
      await computer.stop();
    },
  };
}

function idAt(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw new Error("an inserted tick has no id");
  return id;
}
