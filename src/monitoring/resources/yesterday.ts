import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SavedContainer } from "../containers/index.ts";
import { COLUMN, type KeptColumn } from "./snapshot.ts";
import type { SeriesFigures, SeriesStore } from "./store.ts";

/** Means of one hour, of one container; NaN where nothing was measured. */
interface HourMeans {
  cpuPercent: number;
  memoryBytes: number;
}

/** The hour of the clock (UTC) that holds the moment 24 hours ago. */
export interface PastHour {
  fromMs: number;
  toMs: number;
  /** undefined: not measured in it. */
  meansOf(id: number): HourMeans | undefined;
}

/** What containers used at this time yesterday. Throws `storage_unavailable`. */
export type Yesterday = (containers: readonly Pick<SavedContainer, "id" | "firstSeenAt">[]) => Promise<PastHour>;

/** Reads each container once an hour, when somebody asks, since the hour is long over: rollups of it are kept in memory until the next. */
export function createYesterday({ series, clock }: { series: Pick<SeriesStore, "readEach">; clock: Clock }): Yesterday {
  let hour = { fromMs: Number.NaN, means: new Map<number, HourMeans>() };
  let turn: Promise<void> = Promise.resolve();

  async function fill({ fromMs, means }: typeof hour, ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !means.has(id));
    const read = await series.readEach({ ids: missing, fromMs, toMs: fromMs + HOUR_MS, stepMs: HOUR_MS });
    for (const [id, figures] of read)
      means.set(id, { cpuPercent: meanIn(figures, "cpu_percent"), memoryBytes: meanIn(figures, "memory_bytes") });
  }

  return async (containers) => {
    const fromMs = Math.floor((clock.now().getTime() - DAY_MS) / HOUR_MS) * HOUR_MS;
    const toMs = fromMs + HOUR_MS;
    if (hour.fromMs !== fromMs) hour = { fromMs, means: new Map() };
    const asked = hour;
    const ids = containers.filter(({ firstSeenAt }) => firstSeenAt.getTime() < toMs).map(({ id }) => id);
    // One after the other: a question that comes meanwhile finds what was read for the one before.
    const mine = turn.then(() => fill(asked, ids));
    turn = mine.catch(() => undefined);
    await mine;
    return { fromMs, toMs, meansOf: (id) => asked.means.get(id) };
  };
}

function meanIn(figures: readonly SeriesFigures[], column: KeptColumn): number {
  return figures[COLUMN[column]]?.mean[0] ?? Number.NaN;
}
