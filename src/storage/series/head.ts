import { bundleOf } from "./bundle.ts";
import { type Grid, gridIn } from "./compute.ts";
import { DETAIL, slotsOf, startOf } from "./levels.ts";
import type { SeriesTick } from "./series.ts";

/** Which series a tick tells of, and where; shared by ticks that tell of the same. */
interface Layout {
  ids: readonly number[];
  placeOf: ReadonlyMap<number, number>;
}

interface KeptTick {
  slot: number;
  layout: Layout;
  columns: readonly Float64Array[];
}

/** What was measured in one hour and is not sealed yet, tick by tick in the order in which it came, and which rows of the journal hold it. */
export interface Generation {
  hourMs: number;
  ticks: KeptTick[];
  journalIds: number[];
  bytes: number;
}

/**
 * What is in the journal, in memory. While an hour is being sealed, what comes late goes into a generation of its own, so that what is sealed and
 * what the sealing removes from the journal are the same.
 */
export interface Head {
  /** Keeps a tick that is in the journal. Its arrays are not to be changed any more. */
  put(tick: SeriesTick, journalId: number): void;
  /** What is here of a series in an hour; earlier ones win. */
  grids(id: number, hourMs: number): Grid[];
  /** The hours that are here. */
  hours(): number[];
  /** Memory held by ticks. */
  bytes(): number;
  /** Takes nothing more into the generations of an hour, and answers them. */
  close(hourMs: number): Generation[];
  /** Forgets generations that were sealed. */
  drop(generations: readonly Generation[]): void;
}

interface Hour {
  open: Generation | undefined;
  closed: Generation[];
}

export function createHead(columnCount: number): Head {
  const hours = new Map<number, Hour>();
  let latest: Layout = { ids: [], placeOf: new Map() };
  let bytes = 0;

  function layoutOf(ids: readonly number[]): Layout {
    const isSame = ids === latest.ids || (ids.length === latest.ids.length && ids.every((id, place) => id === latest.ids[place]));
    // A doubled id counts where it stands first.
    if (!isSame) latest = { ids, placeOf: new Map(ids.map((id, place): [number, number] => [id, place]).toReversed()) };
    return latest;
  }

  function openAt(hourMs: number): Generation {
    const hour = hours.get(hourMs) ?? { open: undefined, closed: [] };
    hours.set(hourMs, hour);
    return (hour.open ??= { hourMs, ticks: [], journalIds: [], bytes: 0 });
  }

  return {
    put({ atMs, ids, columns }, journalId) {
      const hourMs = startOf(atMs, DETAIL);
      const generation = openAt(hourMs);
      const size = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
      generation.ticks.push({ slot: (atMs - hourMs) / DETAIL.stepMs, layout: layoutOf(ids), columns });
      generation.journalIds.push(journalId);
      generation.bytes += size;
      bytes += size;
    },
    grids(id, hourMs) {
      const { open, closed = [] } = hours.get(hourMs) ?? { open: undefined };
      return [...closed, ...(open === undefined ? [] : [open])].flatMap((generation) => {
        const room = new Float64Array(roomFor(1, columnCount));
        return gather(generation, [id], columnCount, room) ? [gridIn(room, 0, columnCount)] : [];
      });
    },
    hours: () => [...hours.keys()],
    bytes: () => bytes,
    close(hourMs) {
      const hour = hours.get(hourMs);
      if (hour === undefined) return [];
      if (hour.open !== undefined) hour.closed.push(hour.open);
      hour.open = undefined;
      return [...hour.closed];
    },
    drop(sealed) {
      for (const generation of sealed) {
        const hour = hours.get(generation.hourMs);
        if (hour === undefined) continue;
        hour.closed = hour.closed.filter((each) => each !== generation);
        bytes -= generation.bytes;
        if (hour.closed.length === 0 && hour.open === undefined) hours.delete(generation.hourMs);
      }
    },
  };
}

/** How many values the grids of so many series take. */
export function roomFor(series: number, columnCount: number): number {
  return series * columnCount * slotsOf(DETAIL);
}

/**
 * Puts the samples of some series in a generation into `room`, a grid after the other; of several in one slot the first counts. Neighbours lie
 * beside each other in a tick: together they are gathered in the time of one. False when there is none.
 */
export function gather({ ticks }: Generation, ids: readonly number[], columnCount: number, room: Float64Array): boolean {
  const slots = slotsOf(DETAIL);
  const taken = new Uint8Array(ids.length * slots);
  let current: Layout | undefined;
  let places: (number | undefined)[] = [];
  let isAny = false;
  room.fill(Number.NaN);
  for (const { slot, layout, columns } of ticks) {
    if (layout !== current) places = ids.map((id) => layout.placeOf.get(id));
    current = layout;
    for (let series = 0; series < ids.length; series += 1) {
      const place = places[series];
      if (place === undefined || taken[series * slots + slot] === 1) continue;
      taken[series * slots + slot] = 1;
      isAny = true;
      for (let column = 0, at = series * columnCount * slots + slot; column < columnCount; column += 1, at += slots)
        room[at] = columns[column]?.[place] ?? Number.NaN;
    }
  }
  return isAny;
}

/** The series that generations tell of, by bundle. */
export function idsByBundle(generations: readonly Generation[]): Map<number, number[]> {
  const layouts = new Set(generations.flatMap(({ ticks }) => ticks.map(({ layout }) => layout)));
  const ids = new Set([...layouts].flatMap((layout) => layout.ids));
  return Map.groupBy(ids, bundleOf);
}
