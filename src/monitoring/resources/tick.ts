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

/** Readings of containers that are known; `idOf` answers undefined for the others, which are left out. */
export function readTick(readings: ContainerReadings, atMs: number, idOf: (externalId: string) => number | undefined): Tick {
  const ids: number[] = [];
  const origins: number[] = [];
  const places = new Map<number, number>();
  for (let origin = 0; origin < readings.externalIds.length; origin += 1) {
    const id = idOf(readings.externalIds[origin] ?? "");
    if (id === undefined || places.has(id)) continue;
    places.set(id, ids.length);
    ids.push(id);
    origins.push(origin);
  }
  const isWhole =
    READING_COLUMNS.every((name) => readings.columns[name].length === ids.length) && ids.length === readings.externalIds.length;
  const columns = isWhole ? readings.columns : gather(readings.columns, origins);
  return { atMs, timestamp: new Date(atMs).toISOString(), ids, columns, placeOf: (id) => places.get(id) };
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
