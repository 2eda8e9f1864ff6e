import { READING_COLUMNS, type ContainerReadings, type ReadingColumn } from "../../observations.ts";
import type { ReadingColumns } from "./snapshot.ts";

/** What the containers of one host use at one moment, by our ids. */
export interface Tick {
  atMs: number;
  /** The same as a text, since every snapshot has it. */
  timestamp: string;
  ids: readonly number[];
  /** The value at a place belongs to the container at that place of `ids`. */
  columns: ReadingColumns;
  /** Where a container is; undefined when it is not in it. */
  placeOf(id: number): number | undefined;
}

/**
 * Readings of containers that are known; `idsOfAll` has undefined for the others, which are left out. The containers are mostly those of the
 * tick before.
 */
export function readTick(
  readings: ContainerReadings,
  atMs: number,
  idsOfAll: readonly (number | undefined)[],
  before?: Pick<Tick, "ids" | "placeOf">,
): Tick {
  const { ids, placeOf } = before !== undefined && isSame(idsOfAll, before.ids) ? before : layOut(idsOfAll);
  const isWhole = ids.length === idsOfAll.length && READING_COLUMNS.every((name) => readings.columns[name].length === ids.length);
  const columns = isWhole ? readings.columns : gather(readings.columns, originsOf(idsOfAll, placeOf));
  return { atMs, timestamp: new Date(atMs).toISOString(), ids, columns, placeOf };
}

function isSame(ids: readonly (number | undefined)[], others: readonly number[]): boolean {
  return ids.length === others.length && ids.every((id, place) => id === others[place]);
}

/** Those that are known, each once. */
function layOut(idsOfAll: readonly (number | undefined)[]): Pick<Tick, "ids" | "placeOf"> {
  const places = new Map<number, number>();
  for (const id of idsOfAll) if (id !== undefined && !places.has(id)) places.set(id, places.size);
  return { ids: [...places.keys()], placeOf: (id) => places.get(id) };
}

/** For each place, where its container stood first. */
function originsOf(idsOfAll: readonly (number | undefined)[], placeOf: Tick["placeOf"]): number[] {
  const origins: number[] = [];
  idsOfAll.forEach((id, origin) => {
    const place = id === undefined ? undefined : placeOf(id);
    if (place === origins.length) origins.push(origin);
  });
  return origins;
}

/** The columns with the values from these places; NaN where there is none. */
function gather(columns: ReadingColumns, origins: readonly number[]): ReadingColumns {
  const gathered = READING_COLUMNS.map((name): [ReadingColumn, Float64Array] => {
    const column = columns[name];
    return [name, Float64Array.from(origins, (origin) => column[origin] ?? Number.NaN)];
  });
  // One entry for each name is all that the type asks for.
  return Object.fromEntries(gathered) as Record<ReadingColumn, Float64Array>;
}
