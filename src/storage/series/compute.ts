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
 * The arithmetic of the series store, as jobs: bytes and numbers in, bytes and numbers out, no database and no clock, so that a worker thread can do
 * it. A grid is the columns of one series over one span of a level, a value a slot, NaN where there is none.
 */
export type Grid = Float64Array[];

/** What is kept of one hour of a bundle, and of the day in which it lies; undefined when nothing is. */
export type KeptRows = Record<Level["kind"], Uint8Array | undefined>;

/** Puts what was measured of the series of one bundle in one hour to what is already kept of it. */
export interface SealJob {
  kind: "seal";
  hourMs: number;
  kept: KeptRows;
  columnCount: number;
  /** Of the series, in the bundle. */
  places: readonly number[];
  /** Each the grids of all these series, one after the other; earlier ones win where both have a value. */
  generations: readonly Float64Array[];
}

export interface SealResult {
  detail: Uint8Array<ArrayBuffer>;
  minutes: Uint8Array<ArrayBuffer>;
  hours: Uint8Array<ArrayBuffer>;
  corrupt: string[];
}

/** One span of the series in question: the kept row of its bundle, and what its hours hold that is not sealed yet. */
export interface Part {
  level: Level["kind"];
  startMs: number;
  row: Uint8Array | undefined;
  fresh: FreshHour[];
}

/** An hour with samples that no chunk holds yet; `detail` is its row of detail, which may be gone while coarser ones are still there. */
export interface FreshHour {
  hourMs: number;
  detail: Uint8Array | undefined;
  grids: Grid[];
}

/** The figures of one series from its parts. */
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
  /** Which parts could not be read, by their start, and why. */
  corrupt: string[];
}

export type Job = SealJob | FiguresJob;
export type ResultOf<Kind extends Job> = Kind extends SealJob ? SealResult : FiguresResult;

export function compute<Kind extends Job>(job: Kind): ResultOf<Kind>;
export function compute(job: Job): SealResult | FiguresResult {
  return job.kind === "seal" ? sealBundle(job) : figuresOf(job);
}

/** The grid of one series among several that lie one after the other. */
export function gridIn(values: Float64Array, series: number, columnCount: number): Grid {
  const slots = slotsOf(DETAIL);
  return Array.from({ length: columnCount }, (_, column) => {
    const at = (series * columnCount + column) * slots;
    return values.subarray(at, at + slots);
  });
}

/** What to transfer instead of copying, of a job: grids are made for a question; rows may still be somebody else's, and what is to be sealed is shared. */
export function gridBuffersOf(job: Job): ArrayBufferLike[] {
  if (job.kind === "seal") return [];
  return [...new Set(job.parts.flatMap(({ fresh }) => fresh.flatMap(({ grids }) => grids.flat())).map(({ buffer }) => buffer))];
}

/** The same of an answer. */
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
    // Detail that was dropped or is corrupt may still be in the minutes: the fuller figures stay.
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
  // What a part holds is added up before the next one is read. A part of rollups and the hours that it lacks are read at once, so they have one each.
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

/** By comparison: a name that came from another thread is no fast key. */
function levelOf(kind: Level["kind"]): Level {
  if (kind === "detail") return DETAIL;
  return kind === "minutes" ? MINUTES : HOURS;
}

/** One grid of several of the same span; the earlier ones win. Undefined when there is none. */
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

/** Puts buckets in their place from `at` on, where they hold no less than what is there. */
function takeFuller(target: Rollup, fresh: Rollup, at: number): void {
  for (let bucket = 0; bucket < fresh.count.length; bucket += 1)
    if ((fresh.count[bucket] ?? 0) >= (target.count[at + bucket] ?? 0)) copyBucket(target, at + bucket, fresh, bucket);
}

/** Runs what may meet corrupt bytes; then it is noted, and the answer is undefined. */
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
