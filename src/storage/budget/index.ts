import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../database.ts";
import type { KindOfBytes, SeriesStore } from "../series/index.ts";
import { FIGURES_WORTH_MS, RECORD_KINDS } from "./kinds.ts";
import { type BudgetStore, createBudgetStore, type TableUse } from "./store.ts";

export interface BudgetDependencies {
  database: Database;
  series: Pick<SeriesStore, "bytes" | "oldestMs" | "dropOldest">;
  /** SERVICE_MAX_DB_BYTES; undefined for no limit. */
  limitBytes: number | undefined;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

export interface DatabaseUse {
  kinds: KindOfBytes[];
  /** Whether the sizes are estimated from the number of rows and the size of some. Those of figures never are. */
  isEstimated: boolean;
}

/** Measures how much each kind of data takes, and keeps the database below a limit. */
export interface Budget {
  start(): void;
  stop(): void;
  /** Throws `storage_unavailable`. */
  use(): Promise<DatabaseUse>;
  /** Called when rows of a kind were dropped, for parts that keep them in memory. */
  onDropped(listener: (kind: KindOfBytes["kind"]) => void): void;
}

const RUN_EVERY_MS = 10 * MINUTE_MS;
/** After the retention of every feature has run once. */
const FIRST_RUN_MS = 150_000;
/** How many rows are dropped in one unit, so that no other unit waits long. */
const BATCH_ROWS = 200;
/** How many units one run has; the next run drops the rest. */
const MOST_BATCHES = 2000;
/** Reading the pages of a larger database would hold up everything else. */
const MOST_COUNTED_BYTES = 256 * 1024 ** 2;

const RECORD_TABLES = RECORD_KINDS.flatMap(({ tables }) => tables);
const FIGURES = ["detail", "minutes", "hours"] as const;

/** Data whose oldest part may be dropped. */
interface Source {
  kind: KindOfBytes["kind"];
  worthMs: number;
  oldestMs: number | null;
  oldest(nowMs: number): Promise<number | null>;
  /** Drops data that is no longer young; answers how many bytes, 0 when there was none. */
  drop(nowMs: number, neededBytes: number): Promise<number>;
}

/** Checks the size of the database every ten minutes. While it exceeds its limit, drops what is missed least. */
export function createBudget({ database, series, limitBytes, clock, scheduler, log }: BudgetDependencies): Budget {
  const store = createBudgetStore(database);
  const listeners: ((kind: KindOfBytes["kind"]) => void)[] = [];
  let end = (): void => undefined;

  async function measure(): Promise<DatabaseUse & { tables: ReadonlyMap<string, TableUse> }> {
    const otherBytes = await store.otherBytes();
    const exactly = otherBytes <= MOST_COUNTED_BYTES && (await store.countsPages());
    const tables = await store.measure(RECORD_TABLES, { exactly });
    const figures = await series.bytes();
    const records = await Promise.all(RECORD_KINDS.map((kind) => recordsOf(kind, tables)));
    const rest = otherBytes - sumOf([...tables.values()].map(({ diskBytes }) => diskBytes));
    const other: KindOfBytes = { kind: "other", bytes: Math.max(0, rest), bytesPerDay: null, oldest: null, keptMs: null };
    return { kinds: [...figures, ...records, other], isEstimated: !exactly, tables };
  }

  async function recordsOf(
    { kind, tables, keptMs, parts }: (typeof RECORD_KINDS)[number],
    uses: ReadonlyMap<string, TableUse>,
  ): Promise<KindOfBytes> {
    const bytes = sumOf(tables.map((table) => uses.get(table)?.bytes ?? 0));
    const aged = parts.filter(({ at }) => at !== undefined);
    const nowMs = clock.now().getTime();
    const oldest = (await Promise.all(aged.map((part) => store.oldest(part, nowMs)))).filter((at) => at !== null);
    const oldestMs = oldest.length === 0 ? null : Math.min(...oldest);
    // Single rows are kept longer than others of their kind.
    const ageMs = oldestMs === null ? 0 : Math.min(nowMs - oldestMs, keptMs);
    return {
      kind,
      bytes,
      // The mean since the oldest row, since growth is not recorded by day.
      bytesPerDay: ageMs < DAY_MS ? 0 : bytes / (ageMs / DAY_MS),
      oldest: oldestMs === null ? null : new Date(oldestMs),
      keptMs,
    };
  }

  async function run(signal: AbortSignal): Promise<void> {
    if (limitBytes === undefined) return;
    try {
      const { kinds, tables } = await measure();
      let excess = sumOf(kinds.map(({ bytes }) => bytes)) - limitBytes;
      if (excess <= 0) return;
      const sources = [...figureSources(series), ...recordSources(store, tables)];
      for (const source of sources) source.oldestMs = await source.oldest(clock.now().getTime());
      const dropped: Partial<Record<KindOfBytes["kind"], number>> = {};
      for (let batch = 0; excess > 0 && batch < MOST_BATCHES && !signal.aborted; batch += 1) {
        const nowMs = clock.now().getTime();
        const source = leastMissed(sources, nowMs);
        if (source === undefined) break;
        const freed = await source.drop(nowMs, excess);
        if (freed > 0) listeners.forEach((listener) => listener(source.kind));
        // Dropping rows may make others of their kind droppable, as deliveries do with their notifications.
        for (const each of sources) if (each.kind === source.kind) each.oldestMs = await each.oldest(nowMs);
        if (freed === 0) source.oldestMs = null;
        else dropped[source.kind] = (dropped[source.kind] ?? 0) + Math.round(freed);
        excess -= freed;
      }
      report(dropped, excess);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
      log.debug({}, "the size of the database was not looked at: no database");
    }
  }

  function report(dropped: Partial<Record<KindOfBytes["kind"], number>>, excess: number): void {
    const stillOver = { limit: limitBytes, still_over_bytes: Math.round(Math.max(0, excess)) };
    if (Object.keys(dropped).length === 0) log.warn(stillOver, "the database is over its limit, and nothing in it may be dropped");
    else
      log.warn({ ...stillOver, dropped_bytes: dropped }, "the database reached its limit: the oldest of what is missed least was dropped");
  }

  return {
    async use() {
      const { kinds, isEstimated } = await measure();
      return { kinds, isEstimated };
    },
    onDropped: (listener) => void listeners.push(listener),
    start() {
      end = scheduler.every({ name: "size of the database", everyMs: RUN_EVERY_MS, firstAfterMs: FIRST_RUN_MS, run });
    },
    stop: () => end(),
  };
}

function figureSources(series: BudgetDependencies["series"]): Source[] {
  return FIGURES.map((kind) => ({
    kind,
    worthMs: FIGURES_WORTH_MS[kind],
    oldestMs: null,
    oldest: () => series.oldestMs(kind),
    drop: (nowMs, neededBytes) => series.dropOldest(kind, { beforeMs: nowMs - YOUNGEST_MS, neededBytes }),
  }));
}

function recordSources(store: BudgetStore, tables: ReadonlyMap<string, TableUse>): Source[] {
  return RECORD_KINDS.flatMap(({ kind, parts }) =>
    parts
      .filter(({ stays }) => stays !== true)
      .map((part) => {
        const { rows = 0, bytes = 0 } = tables.get(part.table) ?? {};
        const bytesPerRow = Math.max(1, bytes / Math.max(1, rows));
        return {
          kind,
          worthMs: part.worthMs,
          oldestMs: null,
          oldest: (nowMs: number) => store.oldest(part, nowMs),
          async drop(nowMs: number, neededBytes: number) {
            const most = part.clears === undefined ? Math.min(BATCH_ROWS, Math.ceil(neededBytes / bytesPerRow)) : BATCH_ROWS;
            const { rows: count, clearedBytes } = await store.dropOldest(part, { beforeMs: nowMs - YOUNGEST_MS, nowMs, most });
            return part.clears === undefined ? count * bytesPerRow : clearedBytes;
          },
        };
      }),
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Data whose oldest part may be dropped, and its age. */
interface Candidate {
  worthMs: number;
  oldestMs: number | null;
}

/** Younger data is never dropped, however small the limit. */
const YOUNGEST_MS = DAY_MS;

/** The candidate whose oldest data is missed least: the one with the highest ratio of age to worth. undefined when all data is younger than a day. */
export function leastMissed<Each extends Candidate>(candidates: readonly Each[], nowMs: number): Each | undefined {
  let least: { candidate: Each; timesWorth: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.oldestMs === null || candidate.oldestMs >= nowMs - YOUNGEST_MS) continue;
    const timesWorth = (nowMs - candidate.oldestMs) / candidate.worthMs;
    if (least === undefined || timesWorth > least.timesWorth) least = { candidate, timesWorth };
  }
  return least?.candidate;
}
