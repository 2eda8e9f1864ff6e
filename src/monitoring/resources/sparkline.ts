import { MINUTE_MS } from "../../contract/time.ts";
import { percent, shareInPercent, type Tick } from "./snapshot.ts";

/** The last hour in few points. */
export const POINTS = 30;
export const POINT_MS = 2 * MINUTE_MS;

/** Of one container, oldest first; null where nothing was measured. */
export interface Sparkline {
  cpuPercent: (number | null)[];
  memoryPercent: (number | null)[];
}

/** The last hour of many containers: means of each two minutes. Takes 304 bytes a container. */
export interface Sparklines {
  add(tick: Tick): void;
  /** Puts means of the past where nothing is yet, oldest first; `counts` are the samples behind each. */
  fill(id: number, past: { firstPoint: number; cpu: ArrayLike<number>; memory: ArrayLike<number>; count(point: number): number }): void;
  /** The points up to and with this one. */
  of(id: number, lastPoint: number): Sparkline;
  ids(): Iterable<number>;
  /** Forgets the containers that do not pass. */
  keep(isWanted: (id: number) => boolean): void;
}

/** The number of the point that a time belongs to. */
export function pointAt(timeMs: number): number {
  return Math.floor(timeMs / POINT_MS);
}

const METRICS = 2;
const CPU = 0;
const MEMORY = 1;
const ROW = POINTS * METRICS;
const FIRST_CAPACITY = 64;

export function createSparklines(): Sparklines {
  const rows = new Map<number, number>();
  const free: number[] = [];
  let means = new Float32Array(FIRST_CAPACITY * ROW);
  let counts = new Uint8Array(FIRST_CAPACITY * ROW);
  /** The newest point of each row. */
  let newest = new Int32Array(FIRST_CAPACITY);
  /** Where those of the last tick are: the next one is mostly about the same. */
  let latest: { ids: readonly number[]; rows: Int32Array } = { ids: [], rows: new Int32Array() };

  function rowOf(id: number, point: number): number {
    const known = rows.get(id);
    if (known !== undefined) return known;
    const row = free.pop() ?? rows.size;
    if (row >= newest.length) grow();
    rows.set(id, row);
    clear(row);
    newest[row] = point;
    return row;
  }

  function rowsOf(ids: readonly number[], point: number): Int32Array {
    if (ids !== latest.ids) latest = { ids, rows: Int32Array.from(ids, (id) => rowOf(id, point)) };
    return latest.rows;
  }

  function grow(): void {
    const capacity = newest.length * 2;
    const [oldMeans, oldCounts, oldNewest] = [means, counts, newest];
    means = new Float32Array(capacity * ROW);
    means.set(oldMeans);
    counts = new Uint8Array(capacity * ROW);
    counts.set(oldCounts);
    newest = new Int32Array(capacity);
    newest.set(oldNewest);
  }

  function clear(row: number): void {
    counts.fill(0, row * ROW, (row + 1) * ROW);
  }

  /** Moves a row on to a point. What lies an hour behind it says that the clock was set back: then it starts over. */
  function reach(row: number, point: number): void {
    const last = newest[row] ?? point;
    if (point === last) return;
    if (point >= last + POINTS || point <= last - POINTS) clear(row);
    else for (let next = last + 1; next <= point; next += 1) for (const metric of [CPU, MEMORY]) counts[slotOf(row, metric, next)] = 0;
    if (point > last || point <= last - POINTS) newest[row] = point;
  }

  const slotOf = (row: number, metric: number, point: number): number => row * ROW + metric * POINTS + (point % POINTS);

  function put(slot: number, value: number | null): void {
    if (value === null) return;
    const count = Math.min((counts[slot] ?? 0) + 1, 255);
    const mean = count === 1 ? 0 : (means[slot] ?? 0);
    counts[slot] = count;
    means[slot] = mean + (value - mean) / count;
  }

  function pointsOf(row: number, metric: number, lastPoint: number): (number | null)[] {
    const end = newest[row] ?? 0;
    return Array.from({ length: POINTS }, (_, index) => {
      const point = lastPoint - POINTS + 1 + index;
      const slot = slotOf(row, metric, point);
      const isKept = point <= end && point > end - POINTS && (counts[slot] ?? 0) > 0;
      return isKept ? percent(means[slot]) : null;
    });
  }

  return {
    add({ atMs, ids, columns }) {
      const point = pointAt(atMs);
      const at = rowsOf(ids, point);
      for (let place = 0; place < ids.length; place += 1) {
        const row = at[place] ?? 0;
        reach(row, point);
        put(slotOf(row, CPU, point), percent(columns.cpuPercent[place]));
        put(slotOf(row, MEMORY, point), shareInPercent(columns.memoryBytes[place], columns.memoryLimitBytes[place]));
      }
    },
    fill(id, { firstPoint, cpu, memory, count }) {
      const row = rowOf(id, firstPoint + cpu.length - 1);
      reach(row, firstPoint + cpu.length - 1);
      for (let index = 0; index < cpu.length; index += 1) {
        const point = firstPoint + index;
        if (point <= (newest[row] ?? 0) - POINTS) continue;
        for (const [metric, value] of [cpu[index], memory[index]].entries()) {
          const slot = slotOf(row, metric, point);
          if (counts[slot] !== 0 || value === undefined || Number.isNaN(value)) continue;
          means[slot] = value;
          counts[slot] = Math.min(Math.max(count(point), 1), 255);
        }
      }
    },
    of(id, lastPoint) {
      const row = rows.get(id);
      if (row === undefined) return { cpuPercent: NOTHING, memoryPercent: NOTHING };
      return { cpuPercent: pointsOf(row, CPU, lastPoint), memoryPercent: pointsOf(row, MEMORY, lastPoint) };
    },
    ids: () => rows.keys(),
    keep(isWanted) {
      latest = { ids: [], rows: new Int32Array() };
      for (const [id, row] of rows) {
        if (isWanted(id)) continue;
        rows.delete(id);
        free.push(row);
      }
    },
  };
}

const NOTHING: (number | null)[] = Array.from({ length: POINTS }, () => null);
