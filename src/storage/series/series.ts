import type { Unit } from "../statements.ts";
import type { Level } from "./rollup.ts";

/** What a column of a family of series measures. */
export interface SeriesColumn {
  name: string;
  /** Values are kept as whole multiples of this. */
  unit: number;
}

/** What was measured of many series at one moment, by columns; NaN is what was not. */
export interface SeriesTick {
  /** A whole multiple of the step of the detail. */
  atMs: number;
  ids: readonly number[];
  /** In the order of the family's columns; the value at a place belongs to the series at that place of `ids`. */
  columns: readonly Float64Array[];
}

/** One column of an answer, one value a step; NaN where nothing was measured. */
export interface SeriesFigures {
  readonly mean: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

export interface SeriesQuery {
  id: number;
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** A whole multiple of a kept step: 10 s, 1 min, 1 h. `fromMs` and `toMs` are whole multiples of it. */
  stepMs: number;
}

/** Resource figures by their detail, records by what they are of, and all else. */
export type KindOfData =
  | ("journal" | "detail" | "minutes" | "hours")
  | ("checks" | "pings" | "history" | "alerts" | "deliveries" | "webhook_deliveries" | "certificate_checks" | "images" | "audit")
  | "other";

/** How much of the database something takes, and since when. */
export interface KindOfBytes {
  kind: KindOfData;
  bytes: number;
  /** By what the last day brought; null where that is not known. */
  bytesPerDay: number | null;
  /** To the hour, for what is compressed. */
  oldest: Date | null;
  keptMs: number | null;
}

/**
 * Many time series with the same columns: a journal for what was measured just now, compressed chunks for what lies behind, rollups for what
 * lies far behind. See docs/decisions/007-series.md.
 */
export interface SeriesStore {
  /** Reads the journal back. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Keeps a tick; settles after its commit. A moment of a series that is already known is not changed by it. What is older than the detail is
   * kept is dropped. Throws `storage_unavailable`.
   */
  append(tick: SeriesTick): Promise<void>;
  /** The same for some ticks of one host in one unit of writing: all of them are kept, or none. */
  appendAll(ticks: readonly SeriesTick[]): Promise<void>;
  /** The figures of each column, in their order, from the finest level that serves the step. Corrupt chunks are reported and left out. */
  read(query: SeriesQuery): Promise<SeriesFigures[]>;
  /** Seals nothing from when it answers until that is called. Not to be asked for inside of a unit of writing. */
  hold(): Promise<() => void>;
  /** Deletes series, inside of a unit that was begun while this is held: from its commit none is read. Their space is freed later, in bounded steps. */
  purge(unit: Unit, ids: ReadonlySet<number>): Promise<void>;
  /** Forgets them in memory, once that is committed. */
  forget(ids: ReadonlySet<number>): void;
  /** What the database holds: of these series by level, and `other`. */
  bytes(): Promise<KindOfBytes[]>;
  /** When the oldest chunk of a level begins; null without one. */
  oldestMs(kind: Level["kind"]): Promise<number | null>;
  /** Drops the oldest chunks that end before a time, at most a batch and no more than are needed; answers their bytes, 0 when there was none. */
  dropOldest(kind: Level["kind"], options: { beforeMs: number; neededBytes: number }): Promise<number>;
}
