import { packBundle, unpackBundle } from "./bundle.ts";
import { decodeColumns, encodeColumns, reusedRoom } from "./columns.ts";
import { CorruptBytes } from "./envelope.ts";
import {
  addBucket,
  addValue,
  clearBucket,
  COLUMNS_A_ROLLUP,
  columnsOf,
  copyBucket,
  emptyRollup,
  type Rollup,
  rollupOf,
  rollUpValues,
  DETAIL,
  HOURS,
  type Level,
  MINUTES,
  slotsOf,
  startOf,
} from "./rollup.ts";

/**
 * The arithmetic of the series store, as jobs from bytes and numbers to bytes and numbers, without database and clock, so that a worker thread can do
 * it. A grid has the columns of one series over one span of a level: a value for each slot, NaN for absent ones.
 */
export type Grid = Float64Array[];

/** The stored rows of one hour of a bundle, and of its day; undefined when nothing is stored. */
export type KeptRows = Record<Level["kind"], Uint8Array | undefined>;

/** Adds the samples of one hour of a bundle to its stored rows. */
export interface SealJob {
  kind: "seal";
  hourMs: number;
  kept: KeptRows;
  columnCount: number;
  /** The places of the series in the bundle. */
  places: readonly number[];
  /** Each has the grids of all these series, one after another. If several have a value, the earlier one counts. */
  generations: readonly Float64Array[];
}

export interface SealResult {
  detail: Uint8Array<ArrayBuffer>;
  minutes: Uint8Array<ArrayBuffer>;
  hours: Uint8Array<ArrayBuffer>;
  corrupt: string[];
}

/** One span of the requested series: the stored row of its bundle, and its hours that are not sealed yet. */
export interface Part {
  level: Level["kind"];
  startMs: number;
  row: Uint8Array | undefined;
  fresh: FreshHour[];
}

/** An hour with samples that are in no chunk yet. `detail` is its row of detail, which may be deleted while coarser rows still exist. */
export interface FreshHour {
  hourMs: number;
  detail: Uint8Array | undefined;
  grids: Grid[];
}

/** Computes the figures of one series from its parts. */
export interface FiguresJob {
  kind: "figures";
  place: number;
  columnCount: number;
  fromMs: number;
  toMs: number;
  stepMs: number;
  parts: Part[];
}

export interface FiguresResult {
  figures: Rollup[];
  /** The parts that could not be read: their starts, and why. */
  corrupt: string[];
}

export type Job = SealJob | FiguresJob;
export type ResultOf<Kind extends Job> = Kind extends SealJob ? SealResult : FiguresResult;

export function compute<Kind extends Job>(job: Kind): ResultOf<Kind>;
export function compute(job: Job): SealResult | FiguresResult {
  return job.kind === "seal" ? sealBundle(job) : figuresOf(job);
}

/** The grid of one series among several that are stored one after another. */
export function gridIn(values: Float64Array, series: number, columnCount: number): Grid {
  const slots = slotsOf(DETAIL);
  return Array.from({ length: columnCount }, (_, column) => {
    const at = (series * columnCount + column) * slots;
    return values.subarray(at, at + slots);
  });
}

/**
 * The buffers of a job that are transferred instead of copied: grids are made for a query. Rows may still be used elsewhere, and samples to be sealed
 * are in shared memory.
 */
export function gridBuffersOf(job: Job): ArrayBufferLike[] {
  if (job.kind === "seal") return [];
  return [...new Set(job.parts.flatMap(({ fresh }) => fresh.flatMap(({ grids }) => grids.flat())).map(({ buffer }) => buffer))];
}

/** The same for a result. */
export function buffersOf(result: SealResult | FiguresResult): ArrayBuffer[] {
  if ("detail" in result) return [result.detail.buffer, result.minutes.buffer, result.hours.buffer];
  // The columns of a rollup share one buffer.
  return result.figures.map(({ count }) => count.buffer as ArrayBuffer);
}

function sealBundle({ hourMs, kept, columnCount, places, generations }: SealJob): SealResult {
  const corrupt: string[] = [];
  const attempt = tolerant(corrupt);
  const rowOf = (level: Level["kind"]): Map<number, Uint8Array> =>
    attempt(level, () => unpacked(kept[level])) ?? new Map<number, Uint8Array>();
  const detail = rowOf("detail");
  const minutes = rowOf("minutes");
  const hours = rowOf("hours");
  const hourSlot = (hourMs - startOf(hourMs, HOURS)) / HOURS.stepMs;

  for (const [series, place] of places.entries()) {
    const chunkOf = (chunks: Map<number, Uint8Array>, level: Level["kind"]): Float64Array[] | undefined => {
      const chunk = chunks.get(place);
      return chunk && attempt(`${level} of place ${place}`, () => decodeColumns(chunk));
    };
    const old = chunkOf(detail, "detail");
    const fresh = generations.map((values) => gridIn(values, series, columnCount));
    const grid = mergeGrids([...(old === undefined ? [] : [old]), ...fresh]);
    if (grid === undefined) continue;
    const oldMinutes = rollupsOf(chunkOf(minutes, "minutes") ?? []);
    const oldHours = rollupsOf(chunkOf(hours, "hours") ?? []);
    // Detail that was dropped or is corrupt may still be in the minutes, so the more complete figures are used.
    const byMinute = grid.map((column, index) => {
      const rolledUp = rollUpValues(column, MINUTES.stepMs / DETAIL.stepMs);
      const target = oldMinutes[index];
      if (target === undefined) return rolledUp;
      takeFuller(target, rolledUp, 0);
      return target;
    });
    const byHour = byMinute.map((column, index) => {
      const target = oldHours[index] ?? emptyRollup(slotsOf(HOURS));
      clearBucket(target, hourSlot);
      for (let minute = 0; minute < column.count.length; minute += 1) addBucket(target, hourSlot, column, minute);
      return target;
    });
    detail.set(place, encodeColumns(grid));
    minutes.set(place, encodeColumns(byMinute.flatMap(columnsOf)));
    hours.set(place, encodeColumns(byHour.flatMap(columnsOf)));
  }
  return {
    detail: packBundle(detail, { compress: true }),
    minutes: packBundle(minutes, { compress: false }),
    hours: packBundle(hours, { compress: false }),
    corrupt,
  };
}

function figuresOf({ place, columnCount, fromMs, toMs, stepMs, parts }: FiguresJob): FiguresResult {
  const corrupt: string[] = [];
  const attempt = tolerant(corrupt);
  const figures = Array.from({ length: columnCount }, () => emptyRollup((toMs - fromMs) / stepMs));
  // A part is added up before the next one is read. A part of rollups and its missing hours are read at the same time, so they have separate buffers.
  const ofRollups = reusedRoom();
  const ofDetail = reusedRoom();
  const chunkOf = (row: Uint8Array | undefined, level: Level["kind"], startMs: number): Grid | undefined =>
    attempt(`${level} of ${new Date(startMs).toISOString()}`, () => {
      const chunk = unpacked(row).get(place);
      return chunk && decodeColumns(chunk, level === "detail" ? ofDetail : ofRollups);
    });
  const hourOf = ({ hourMs, detail, grids }: FreshHour): Grid | undefined => {
    const sealed = chunkOf(detail, "detail", hourMs);
    return mergeGrids([...(sealed === undefined ? [] : [sealed]), ...grids]);
  };

  for (const { level, startMs, row, fresh } of parts) {
    const [hour] = fresh;
    const { stepMs: slotMs, spanMs } = levelOf(level);
    const grid = level === "detail" && hour !== undefined ? hourOf(hour) : undefined;
    const rollups = level === "detail" ? [] : rollupsOf(chunkOf(row, level, startMs) ?? []);
    if (level !== "detail") {
      for (const each of fresh) {
        hourOf(each)?.forEach((column, index) => {
          const target = (rollups[index] ??= emptyRollup(spanMs / slotMs));
          takeFuller(target, rollUpValues(column, slotMs / DETAIL.stepMs), (each.hourMs - startMs) / slotMs);
        });
      }
    }
    const begin = Math.max(0, Math.ceil((fromMs - startMs) / slotMs));
    const end = Math.min(spanMs, toMs - startMs) / slotMs;
    const bucketOf = (slot: number): number => Math.floor((startMs + slot * slotMs - fromMs) / stepMs);
    for (const [index, target] of figures.entries()) {
      const rollup = rollups[index];
      const column = grid?.[index];
      if (rollup !== undefined) for (let slot = begin; slot < end; slot += 1) addBucket(target, bucketOf(slot), rollup, slot);
      else if (column !== undefined)
        for (let slot = begin; slot < end; slot += 1) addValue(target, bucketOf(slot), column[slot] ?? Number.NaN);
    }
  }
  return { figures, corrupt };
}

/** Compared with each, since a name from another thread is slow as a key. */
function levelOf(kind: Level["kind"]): Level {
  if (kind === "detail") return DETAIL;
  return kind === "minutes" ? MINUTES : HOURS;
}

/** Merges grids of the same span; earlier ones take precedence. undefined when there is none. */
export function mergeGrids(grids: readonly Grid[]): Grid | undefined {
  const [first, ...others] = grids;
  if (first === undefined || others.length === 0) return first;
  const merged = first.map((column) => column.slice());
  for (const grid of others) {
    const rows = merged[0]?.length ?? 0;
    for (let row = 0; row < rows; row += 1) {
      if (merged.some((column) => !Number.isNaN(column[row] ?? Number.NaN))) continue;
      grid.forEach((column, index) => {
        const target = merged[index];
        if (target !== undefined) target[row] = column[row] ?? Number.NaN;
      });
    }
  }
  return merged;
}

function unpacked(row: Uint8Array | undefined): Map<number, Uint8Array> {
  return row === undefined ? new Map() : unpackBundle(row);
}

function rollupsOf(columns: readonly Float64Array[]): Rollup[] {
  return Array.from({ length: columns.length / COLUMNS_A_ROLLUP }, (_, index) =>
    rollupOf(columns.slice(index * COLUMNS_A_ROLLUP, (index + 1) * COLUMNS_A_ROLLUP)),
  );
}

/** Copies buckets to `at` and after, where they have at least as many samples as those there. */
function takeFuller(target: Rollup, fresh: Rollup, at: number): void {
  for (let bucket = 0; bucket < fresh.count.length; bucket += 1)
    if ((fresh.count[bucket] ?? 0) >= (target.count[at + bucket] ?? 0)) copyBucket(target, at + bucket, fresh, bucket);
}

/** Runs code that may meet corrupt bytes: that is recorded, and the result is undefined. */
function tolerant(corrupt: string[]): <Result>(what: string, read: () => Result) => Result | undefined {
  return (what, read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CorruptBytes)) throw error;
      corrupt.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
}
