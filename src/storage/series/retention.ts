import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { DAY_MS, DETAIL, HOUR_MS, HOURS, type Level, LEVELS, MINUTES, startOf } from "./levels.ts";
import type { KindOfBytes } from "./series.ts";
import type { SeriesTablesStore } from "./store.ts";

/** How long each level is kept. */
export interface Retention {
  detailMs: number;
  minutesMs: number;
  hoursMs: number;
}

export interface RetentionParts {
  store: SeriesTablesStore;
  clock: Clock;
  log: Log;
  retention: Retention;
  /** Beyond this the oldest detail goes before its time; undefined for no bound. */
  maxBytes: number | undefined;
}

/** Drops whole rows that are past their time, or that a bounded database has no room for; and says what there is. */
export function createRetention({ store, clock, log, retention, maxBytes }: RetentionParts) {
  const keptMs: Record<Level["kind"], number> = { detail: retention.detailMs, minutes: retention.minutesMs, hours: retention.hoursMs };

  async function dropOld(signal: AbortSignal): Promise<void> {
    const now = clock.now().getTime();
    for (const level of LEVELS) while (!signal.aborted && (await store.dropOldest(level, now - keptMs[level.kind] - level.spanMs)) > 0);
  }

  /** What was written in the last two hours stays, however small the bound. */
  async function dropExcess(limit: number, signal: AbortSignal): Promise<void> {
    let excess = total(await bytes()) - limit;
    if (excess <= 0) return;
    const now = clock.now().getTime();
    const dropped: Partial<Record<Level["kind"], number>> = {};
    for (const level of [DETAIL, MINUTES, HOURS]) {
      while (excess > 0 && !signal.aborted) {
        const freed = await store.dropOldest(level, startOf(now, level) - HOUR_MS, excess);
        if (freed === 0) break;
        excess -= freed;
        dropped[level.kind] = (dropped[level.kind] ?? 0) + freed;
      }
    }
    log.warn(
      { limit, dropped_bytes: dropped, still_over_bytes: Math.max(0, excess) },
      "the database reached its limit: the oldest figures were dropped",
    );
  }

  async function bytes(): Promise<KindOfBytes[]> {
    const now = clock.now().getTime();
    const ofLevels = refineOldest(await Promise.all(LEVELS.map((level) => ofLevel(level, now))));
    const journal = await store.journalSums();
    return [
      { kind: "journal", bytes: journal.bytes, bytesPerDay: 0, oldest: dateOf(journal.oldestMs), keptMs: HOUR_MS },
      ...ofLevels,
      { kind: "other", bytes: await store.otherBytes(), bytesPerDay: null, oldest: null, keptMs: null },
    ];
  }

  async function ofLevel(level: Level, now: number): Promise<KindOfBytes> {
    const all = await store.sums(level);
    // Only spans that are over say how much one takes.
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
    /** Ticks older than this are past their time. */
    oldestDetailMs: (): number => clock.now().getTime() - keptMs.detail,
    async run(signal: AbortSignal): Promise<void> {
      try {
        await dropOld(signal);
        if (maxBytes !== undefined) await dropExcess(maxBytes, signal);
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable")) throw error;
        log.debug({}, "retention put off: no database");
      }
    },
  };
}

/** A day of hours begins at midnight; where finer levels still tell when in it the first sample came, that is the time. */
function refineOldest(kinds: readonly KindOfBytes[]): KindOfBytes[] {
  let finer: Date | null = null;
  return kinds.map((kind, index) => {
    const oldestMs = kind.oldest?.getTime() ?? Infinity;
    const isWithin: boolean = finer !== null && finer.getTime() >= oldestMs && finer.getTime() < oldestMs + (LEVELS[index]?.spanMs ?? 0);
    finer = isWithin ? finer : kind.oldest;
    return { ...kind, oldest: finer };
  });
}

function total(kinds: readonly KindOfBytes[]): number {
  return kinds.reduce((sum, { bytes }) => sum + bytes, 0);
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
