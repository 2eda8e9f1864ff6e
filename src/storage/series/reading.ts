import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import { inBatches } from "../statements.ts";
import { BUNDLE_SIZE, bundleOf, narrowed } from "./bundle.ts";
import type { Computer } from "./computer.ts";
import { compute, type FiguresJob, type FreshHour, type Part } from "./compute.ts";
import type { Head } from "./head.ts";
import { type Rollup, DETAIL, type Level, levelOf, startOf } from "./rollup.ts";
import type { SeriesColumn, SeriesFigures, SeriesQuery, SeriesStore } from "./series.ts";
import type { SeriesTablesStore } from "./store.ts";

const MAX_STEPS = 20_000;
/** Work of about a millisecond is done at once: sending it to the other thread takes as long, and starting that much longer. */
const SMALL_BYTES = 131_072;
/** Of how many bundles the rows are read and computed before others get the event loop: a few milliseconds of work. */
const BUNDLES_A_TURN = 8;

export interface ReadingParts {
  family: readonly SeriesColumn[];
  head: Head;
  store: SeriesTablesStore;
  computer: Computer;
  /** A deleted series has no figures, even if its rows still exist. */
  isRemoved(id: number): boolean;
  log: Log;
}

/** Answers queries from chunks and head together. */
export function createReading({ family, head, store, computer, isRemoved, log }: ReadingParts): Pick<SeriesStore, "read" | "readEach"> {
  /** Corrupt parts that were reported, so that each is reported once. */
  const reported = new Set<string>();

  /**
   * The parts of a range: the rows of the level, and what the hours of the head add. The head is read first: samples that are sealed meanwhile are
   * then seen twice, which is harmless, but never missed.
   */
  async function partsOf(level: Level, { id, fromMs, toMs }: SeriesQuery): Promise<Part[]> {
    if (isRemoved(id)) return [];
    const bundle = bundleOf(id);
    const fresh = new Map<number, FreshHour>();
    for (const hourMs of head.hours()) {
      const grids = hourMs + DETAIL.spanMs > fromMs && hourMs < toMs ? head.grids(id, hourMs) : [];
      if (grids.length > 0) fresh.set(hourMs, { hourMs, detail: undefined, grids });
    }
    const kept = await store.chunksOf(level, [bundle], { fromMs, toMs });
    const rows = new Map(kept.map(({ startMs, bytes }) => [startMs, narrowed(bytes, id % BUNDLE_SIZE)]));
    for (const [hourMs, detail] of level === DETAIL ? rows : await detailOf(bundle, [...fresh.keys()]))
      fresh.set(hourMs, { hourMs, detail, grids: fresh.get(hourMs)?.grids ?? [] });
    const hoursBySpan = Map.groupBy(fresh.values(), ({ hourMs }) => startOf(hourMs, level));
    return [...new Set([...rows.keys(), ...hoursBySpan.keys()])].map((startMs) => ({
      level: level.kind,
      startMs,
      row: level === DETAIL ? undefined : rows.get(startMs),
      fresh: hoursBySpan.get(startMs) ?? [],
    }));
  }

  /** The rows of detail of some hours. */
  async function detailOf(bundle: number, hours: readonly number[]): Promise<Map<number, Uint8Array>> {
    if (hours.length === 0) return new Map();
    const rows = await store.chunksOf(DETAIL, [bundle], { fromMs: Math.min(...hours), toMs: Math.max(...hours) + 1 });
    return new Map(rows.filter(({ startMs }) => hours.includes(startMs)).map(({ startMs, bytes }) => [startMs, bytes]));
  }

  function report(id: number, corrupt: readonly string[]): void {
    for (const reason of corrupt) {
      const key = `${bundleOf(id)} ${reason}`;
      if (reported.has(key) || reported.size > 1000) continue;
      reported.add(key);
      log.warn({ bundle: bundleOf(id), reason }, "corrupt series left out");
    }
  }

  async function figuresOf({ id, fromMs, toMs, stepMs }: SeriesQuery, parts: Part[]): Promise<SeriesFigures[]> {
    const job: FiguresJob = { kind: "figures", place: id % BUNDLE_SIZE, columnCount: family.length, fromMs, toMs, stepMs, parts };
    const { figures, corrupt } = sizeOf(parts) <= SMALL_BYTES ? compute(job) : await computer.run(job);
    report(id, corrupt);
    return figures.map((rollup, index) => new FiguresInUnits(rollup, family[index]?.unit ?? 1));
  }

  const read = async (query: SeriesQuery): Promise<SeriesFigures[]> => figuresOf(query, await partsOf(levelIn(query), query));

  return {
    read,
    async readEach({ ids, ...range }) {
      const level = levelIn(range);
      const figures = new Map<number, SeriesFigures[]>();
      for (const bundles of inBatches([...Map.groupBy(new Set(ids), bundleOf)], BUNDLES_A_TURN)) {
        // Looked up before the rows, as for one series. What is not sealed is in too many places for one query.
        const isSealed = level !== DETAIL && !head.hours().some((hourMs) => hourMs + DETAIL.spanMs > range.fromMs && hourMs < range.toMs);
        const rows = isSealed
          ? await store.chunksOf(
              level,
              bundles.map(([bundle]) => bundle),
              range,
            )
          : [];
        const rowsByBundle = Map.groupBy(rows, ({ bundle }) => bundle);
        for (const [bundle, members] of bundles) {
          const parts = (rowsByBundle.get(bundle) ?? []).map(({ startMs, bytes }): Part => ({
            level: level.kind,
            startMs,
            row: bytes,
            fresh: [],
          }));
          for (const id of members) {
            const query = { id, ...range };
            figures.set(id, isSealed ? await figuresOf(query, isRemoved(id) ? [] : parts) : await read(query));
          }
        }
        await nextTurn();
      }
      return figures;
    },
  };
}

/** The level that a query reads. Throws a RangeError for a range that no level can answer. */
function levelIn({ fromMs, toMs, stepMs }: Omit<SeriesQuery, "id">): Level {
  const level = levelOf(stepMs);
  const steps = (toMs - fromMs) / stepMs;
  if (startOf(fromMs, { spanMs: stepMs }) !== fromMs || !Number.isInteger(steps) || steps < 1 || steps > MAX_STEPS)
    throw new RangeError(`${steps} steps of ${stepMs} ms from ${fromMs} cannot be answered`);
  return level;
}

/** How many bytes have to be processed. */
function sizeOf(parts: readonly Part[]): number {
  const ofHour = ({ detail, grids }: FreshHour): number =>
    (detail?.length ?? 0) + grids.flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
  return parts.reduce((sum, { row, fresh }) => sum + (row?.length ?? 0) + fresh.reduce((bytes, hour) => bytes + ofHour(hour), 0), 0);
}

/**
 * Computed on demand, since the extremes of most columns are not used. A class, since each object literal with getters gets its own hidden class,
 * which keeps the figures in memory until the next full collection.
 */
class FiguresInUnits implements SeriesFigures {
  readonly #rollup: Rollup;
  readonly #unit: number;

  constructor(rollup: Rollup, unit: number) {
    this.#rollup = rollup;
    this.#unit = unit;
  }

  get mean(): Float64Array {
    const { count, sum } = this.#rollup;
    const mean = new Float64Array(sum.length);
    for (let bucket = 0; bucket < mean.length; bucket += 1) mean[bucket] = ((sum[bucket] ?? 0) / (count[bucket] ?? 0)) * this.#unit;
    return mean;
  }

  get min(): Float64Array {
    return timesUnit(this.#rollup.min, this.#unit);
  }

  get max(): Float64Array {
    return timesUnit(this.#rollup.max, this.#unit);
  }
}

/** A loop: map of a typed array takes ten times as long. */
function timesUnit(values: Float64Array, unit: number): Float64Array {
  const inUnit = new Float64Array(values.length);
  for (let bucket = 0; bucket < inUnit.length; bucket += 1) inUnit[bucket] = (values[bucket] ?? Number.NaN) * unit;
  return inUnit;
}
