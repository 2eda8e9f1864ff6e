import { setImmediate as nextTurn } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { BUNDLE_SIZE, bundleOf } from "./bundle.ts";
import { LEVELS, type Level, startOf } from "./rollup.ts";
import type { KindOfBytes } from "./series.ts";
import type { SeriesTablesStore } from "./store.ts";

/** Deleted series: they are not read, and their space is freed in steps. */
export interface Removals {
  /** Reads the series whose space was not freed when the program ended. */
  start(): Promise<void>;
  has(id: number): boolean;
  add(ids: ReadonlySet<number>): void;
  /** Frees the space of all of them, a batch in each unit; an interrupted run begins again with its bundle. */
  free(signal: AbortSignal): Promise<void>;
}

/** `hold` prevents sealing while the rows of a bundle change; its answer allows it again. */
export function createRemovals({ store, hold }: { store: SeriesTablesStore; hold(): Promise<() => void> }): Removals {
  const removed = new Set<number>();

  async function freeBundle(bundle: number, ids: readonly number[], signal: AbortSignal): Promise<void> {
    const places = new Set(ids.map((id) => id % BUNDLE_SIZE));
    for (const level of LEVELS) {
      for (let afterMs: number | undefined = -1; afterMs !== undefined;) {
        if (signal.aborted) return;
        afterMs = await held(() => store.free({ level, bundle, places, afterMs: afterMs ?? -1 }));
        await nextTurn();
      }
    }
    await store.endRemoval(ids);
    for (const id of ids) removed.delete(id);
  }

  async function held<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await hold();
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    async start() {
      for (const id of await store.removed()) removed.add(id);
    },
    has: (id) => removed.has(id),
    add(ids) {
      for (const id of ids) removed.add(id);
    },
    async free(signal) {
      for (const [bundle, ids] of Map.groupBy([...removed], bundleOf)) {
        if (signal.aborted) return;
        await freeBundle(bundle, ids, signal);
      }
    },
  };
}

/** How long each level is kept. */
export interface Retention {
  detailMs: number;
  minutesMs: number;
  hoursMs: number;
}

interface RetentionParts {
  store: SeriesTablesStore;
  clock: Clock;
  log: Log;
  retention: Retention;
}

/** Drops rows that are past their retention, and measures the others. */
export function createRetention({ store, clock, log, retention }: RetentionParts) {
  const keptMs: Record<Level["kind"], number> = { detail: retention.detailMs, minutes: retention.minutesMs, hours: retention.hoursMs };

  async function dropOld(nowMs: number, signal: AbortSignal): Promise<void> {
    for (const level of LEVELS) while (!signal.aborted && (await store.dropOldest(level, nowMs - keptMs[level.kind] - level.spanMs)) > 0);
  }

  async function bytes(): Promise<KindOfBytes[]> {
    const now = clock.now().getTime();
    const ofLevels = refineOldest(await Promise.all(LEVELS.map((level) => ofLevel(level, now))));
    const journal = await store.journalSums();
    return [{ kind: "journal", bytes: journal.bytes, bytesPerDay: 0, oldest: dateOf(journal.oldestMs), keptMs: HOUR_MS }, ...ofLevels];
  }

  async function ofLevel(level: Level, now: number): Promise<KindOfBytes> {
    const all = await store.sums(level);
    // Only complete spans show how many bytes one takes.
    const untilMs = startOf(now, level);
    const sinceMs = Math.max(untilMs - Math.max(DAY_MS, level.spanMs), all.oldestMs ?? untilMs);
    const recent = await store.sums(level, sinceMs);
    const openBytes = (await store.sums(level, untilMs)).bytes;
    return {
      kind: level.kind,
      bytes: all.bytes,
      bytesPerDay: untilMs > sinceMs ? ((recent.bytes - openBytes) / (untilMs - sinceMs)) * DAY_MS : null,
      oldest: dateOf(all.oldestMs),
      keptMs: keptMs[level.kind],
    };
  }

  return {
    bytes,
    /** Ticks older than this are past their retention. */
    oldestDetailMs: (): number => clock.now().getTime() - keptMs.detail,
    /** Drops what is past its retention at a moment; see index.ts. */
    async run(nowMs: number, signal: AbortSignal): Promise<void> {
      try {
        await dropOld(nowMs, signal);
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable")) throw error;
        log.debug({}, "retention put off: no database");
      }
    },
  };
}

/** A day of hours begins at midnight. If finer levels show when its first sample came, that time is used. */
function refineOldest(kinds: readonly KindOfBytes[]): KindOfBytes[] {
  let finer: Date | null = null;
  return kinds.map((kind, index) => {
    const oldestMs = kind.oldest?.getTime() ?? Infinity;
    const isWithin: boolean = finer !== null && finer.getTime() >= oldestMs && finer.getTime() < oldestMs + (LEVELS[index]?.spanMs ?? 0);
    finer = isWithin ? finer : kind.oldest;
    return { ...kind, oldest: finer };
  });
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
