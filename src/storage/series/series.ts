import type { Unit } from "../statements.ts";
import type { Level } from "./rollup.ts";

/** What one column of a family of series measures. */
export interface SeriesColumn {
  name: string;
  /** Values are stored as whole multiples of this. */
  unit: number;
}

/** The values of many series at one moment, by columns; NaN for absent ones. */
export interface SeriesTick {
  /** A whole multiple of the step of the detail. */
  atMs: number;
  ids: readonly number[];
  /** In the order of the family's columns; values are in the order of `ids`. */
  columns: readonly Float64Array[];
}

/** One column of an answer with a value for each step; NaN for absent ones. */
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
  /** A whole multiple of a stored step: 10 s, 1 min, 1 h. `fromMs` and `toMs` are whole multiples of it. */
  stepMs: number;
}

/** The same range of many series. */
interface SeriesListQuery extends Omit<SeriesQuery, "id"> {
  ids: readonly number[];
}

/** Resource figures by level of detail, records by kind, and everything else. */
export type KindOfData =
  | ("journal" | "detail" | "minutes" | "hours")
  | ("checks" | "pings" | "history" | "alerts" | "deliveries" | "webhook_deliveries" | "certificate_checks" | "images" | "audit")
  | "other";

/** How much of the database a kind takes, and since when. */
export interface KindOfBytes {
  kind: KindOfData;
  bytes: number;
  /** The growth of the last day; null when it is not known. */
  bytesPerDay: number | null;
  /** To the hour, for compressed data. */
  oldest: Date | null;
  keptMs: number | null;
}

/**
 * Stores many time series with the same columns: a journal for the latest samples, compressed chunks for earlier ones, rollups for much earlier ones.
 * See docs/decisions/007-series.md.
 */
export interface SeriesStore {
  /** Reads the journal. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Stores a tick; settles after its commit. A sample that exists already is not changed. A tick past the retention of detail is dropped. Throws
   * `storage_unavailable`.
   */
  append(tick: SeriesTick): Promise<void>;
  /** The same for several ticks of one host, in one unit of writing: all of them are stored, or none. */
  appendAll(ticks: readonly SeriesTick[]): Promise<void>;
  /** The figures of each column, in order, from the finest level that fits the step. Corrupt chunks are reported and left out. */
  read(query: SeriesQuery): Promise<SeriesFigures[]>;
  /** The same of many series, with few queries of the database and a turn of the event loop between them. Meant for rollups of past hours. */
  readEach(query: SeriesListQuery): Promise<Map<number, SeriesFigures[]>>;
  /** Prevents sealing until the answer is called. Do not call it inside a unit of writing. */
  hold(): Promise<() => void>;
  /** Deletes series, inside a unit that was begun while this is held: from its commit on they are not read. Their space is freed later, in steps. */
  purge(unit: Unit, ids: ReadonlySet<number>): Promise<void>;
  /** Forgets them in memory, after that commit. */
  forget(ids: ReadonlySet<number>): void;
  /** The bytes of these series in the database, by level. */
  bytes(): Promise<KindOfBytes[]>;
  /** When the oldest chunk of a level begins; null when there is none. */
  oldestMs(kind: Level["kind"]): Promise<number | null>;
  /** Drops the oldest chunks that end before a time, at most a batch and no more than needed; answers their bytes, 0 when there was none. */
  dropOldest(kind: Level["kind"], options: { beforeMs: number; neededBytes: number }): Promise<number>;
}
