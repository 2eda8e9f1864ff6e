import { bundleOf } from "./bundle.ts";
import { type Grid, gridIn } from "./compute.ts";
import { DETAIL, slotsOf, startOf } from "./rollup.ts";
import type { SeriesTick } from "./series.ts";

/** The series of a tick and their places; shared by ticks with the same series, such as those of one host. */
interface Layout {
  ids: readonly number[];
  placeOf: ReadonlyMap<number, number>;
}

interface KeptTick {
  /** Rises with each tick of a generation. */
  order: number;
  slot: number;
  layout: Layout;
  /** Column after column, each with a value for each id: one array, since finding an array costs more than reading from it. */
  values: Float64Array;
}

/** The samples of one hour that are not sealed yet, as ticks in order of arrival, and the journal rows that hold them. */
export interface Generation {
  hourMs: number;
  ticks: KeptTick[];
  /** The same ticks by layout. With hundreds of hosts, a query for a series thus finds the few ticks that have it. */
  byLayout: Map<Layout, KeptTick[]>;
  /** The latest layout that begins with a series, which is the layout of its host. */
  layouts: Map<number | undefined, Layout>;
  journalIds: number[];
  bytes: number;
}

/**
 * The contents of the journal, in memory. While an hour is being sealed, late samples go into a separate generation, so that exactly what was sealed
 * is removed from the journal.
 */
export interface Head {
  /** Adds a tick that is in the journal. Its columns are one after another in one buffer, which must not change any more. */
  put(tick: SeriesTick, journalId: number): void;
  /** The samples of a series in an hour; earlier grids take precedence. */
  grids(id: number, hourMs: number): Grid[];
  /** The hours with samples. */
  hours(): number[];
  /** The memory that ticks take. */
  bytes(): number;
  /** Answers the generations of an hour; from now on nothing is added to them. */
  close(hourMs: number): Generation[];
  /** Forgets generations that were sealed. */
  drop(generations: readonly Generation[]): void;
  /** The journal rows that contain only these series. */
  journalIdsOf(ids: ReadonlySet<number>): number[];
  /** Forgets the ticks of these rows. */
  forget(ids: ReadonlySet<number>): void;
}

interface Hour {
  open: Generation | undefined;
  closed: Generation[];
}

export function createHead(columnCount: number): Head {
  const hours = new Map<number, Hour>();
  let bytes = 0;

  function layoutOf({ layouts }: Generation, ids: readonly number[]): Layout {
    const latest = layouts.get(ids[0]);
    const isSame = ids === latest?.ids || (ids.length === latest?.ids.length && ids.every((id, place) => id === latest.ids[place]));
    if (latest !== undefined && isSame) return latest;
    // Of a repeated id the first place counts.
    const layout = { ids, placeOf: new Map(ids.map((id, place): [number, number] => [id, place]).toReversed()) };
    layouts.set(ids[0], layout);
    return layout;
  }

  function openAt(hourMs: number): Generation {
    const hour = hours.get(hourMs) ?? { open: undefined, closed: [] };
    hours.set(hourMs, hour);
    return (hour.open ??= { hourMs, ticks: [], byLayout: new Map(), layouts: new Map(), journalIds: [], bytes: 0 });
  }

  /** Ticks of one host share a layout, so only few layouts are searched. */
  function hasAnyOf(ids: ReadonlySet<number>): (tick: KeptTick) => boolean {
    const known = new Map<Layout, boolean>();
    return ({ layout }) => {
      let isAll = known.get(layout);
      if (isAll === undefined) known.set(layout, (isAll = layout.ids.every((id) => ids.has(id))));
      return isAll;
    };
  }

  const generations = (): Generation[] =>
    [...hours.values()].flatMap(({ open, closed }) => [...closed, ...(open === undefined ? [] : [open])]);

  return {
    journalIdsOf(ids) {
      const isOfThem = hasAnyOf(ids);
      return generations().flatMap(({ ticks, journalIds }) =>
        ticks.flatMap((tick, index) => (isOfThem(tick) ? journalIds.slice(index, index + 1) : [])),
      );
    },
    forget(ids) {
      const isOfThem = hasAnyOf(ids);
      for (const generation of generations()) {
        const isKept = generation.ticks.map((tick) => !isOfThem(tick));
        const before = bytesOf(generation);
        generation.ticks = generation.ticks.filter((_, index) => isKept[index]);
        generation.byLayout = Map.groupBy(generation.ticks, ({ layout }) => layout);
        generation.journalIds = generation.journalIds.filter((_, index) => isKept[index]);
        const freed = before - bytesOf(generation);
        generation.bytes -= freed;
        bytes -= freed;
      }
    },
    put({ atMs, ids, columns }, journalId) {
      const hourMs = startOf(atMs, DETAIL);
      const generation = openAt(hourMs);
      const values = joined(columns, ids.length);
      const layout = layoutOf(generation, ids);
      const order = (generation.ticks.at(-1)?.order ?? 0) + 1;
      const tick = { order, slot: (atMs - hourMs) / DETAIL.stepMs, layout, values };
      generation.ticks.push(tick);
      const alike = generation.byLayout.get(layout);
      if (alike === undefined) generation.byLayout.set(layout, [tick]);
      else alike.push(tick);
      generation.journalIds.push(journalId);
      generation.bytes += values.byteLength;
      bytes += values.byteLength;
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

/** The columns as one array. Throws unless they are one after another in one buffer. */
function joined(columns: readonly Float64Array[], length: number): Float64Array {
  const [first] = columns;
  if (first === undefined) return new Float64Array();
  const values = new Float64Array(first.buffer, first.byteOffset, columns.length * length);
  if (columns.at(-1)?.byteOffset !== first.byteOffset + (columns.length - 1) * length * Float64Array.BYTES_PER_ELEMENT)
    throw new RangeError("the columns do not lie one after another");
  return values;
}

function bytesOf({ ticks }: Generation): number {
  return ticks.reduce((sum, { values }) => sum + values.byteLength, 0);
}

/** How many values the grids of this many series have. */
export function roomFor(series: number, columnCount: number): number {
  return series * columnCount * slotsOf(DETAIL);
}

/**
 * Copies the samples of some series in a generation into `room`, one grid after another; of several samples in a slot the first counts. Neighbouring
 * series are next to each other in a tick, so reading them together takes as long as reading one. False when there is none.
 */
export function gather(generation: Generation, ids: readonly number[], columnCount: number, room: Float64Array): boolean {
  const slots = slotsOf(DETAIL);
  const taken = new Uint8Array(ids.length * slots);
  const { placesOf, ticks } = ticksOf(generation, ids);
  /** For the present tick: the series that no earlier tick had in this slot, by their place in the room and in its columns. */
  const targets = new Uint32Array(ids.length);
  const origins = new Uint32Array(ids.length);
  let isAny = false;
  room.fill(Number.NaN);
  for (const { slot, layout, values } of ticks) {
    const places = placesOf.get(layout) ?? [];
    let count = 0;
    for (let series = 0; series < ids.length; series += 1) {
      const place = places[series];
      if (place === undefined || taken[series * slots + slot] === 1) continue;
      taken[series * slots + slot] = 1;
      targets[count] = series * columnCount * slots + slot;
      origins[count] = place;
      count += 1;
    }
    isAny ||= count > 0;
    const size = layout.ids.length;
    for (let column = 0, to = 0, from = 0; column < columnCount; column += 1, to += slots, from += size)
      for (let series = 0; series < count; series += 1)
        room[(targets[series] ?? 0) + to] = values[(origins[series] ?? 0) + from] ?? Number.NaN;
  }
  return isAny;
}

/** The ticks with any of these series, in order of arrival, and the places of the series in them. */
function ticksOf({ byLayout }: Generation, ids: readonly number[]) {
  const placesOf = new Map<Layout, readonly (number | undefined)[]>();
  const found: KeptTick[][] = [];
  for (const [layout, ticks] of byLayout) {
    const places = ids.map((id) => layout.placeOf.get(id));
    if (places.every((place) => place === undefined)) continue;
    placesOf.set(layout, places);
    found.push(ticks);
  }
  const [first = []] = found;
  return { placesOf, ticks: found.length <= 1 ? first : found.flat().toSorted((a, b) => a.order - b.order) };
}

/** The series of some generations, by bundle. */
export function idsByBundle(generations: readonly Generation[]): Map<number, number[]> {
  const ids = new Set(generations.flatMap(({ byLayout }) => [...byLayout.keys()].flatMap((layout) => layout.ids)));
  return Map.groupBy(ids, bundleOf);
}
