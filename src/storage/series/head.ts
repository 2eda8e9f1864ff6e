import { bundleOf } from "./bundle.ts";
import type { Grid } from "./compute.ts";
import { DETAIL, startOf } from "./levels.ts";
import { createSamples, type Samples } from "./samples.ts";
import type { SeriesTick } from "./series.ts";

/** What was measured in one hour and is not sealed yet, and which rows of the journal hold it. */
export interface Generation {
  hourMs: number;
  series: Map<number, Samples>;
  journalIds: number[];
  bytes: number;
}

/**
 * What is in the journal, in memory. While an hour is being sealed, what comes late goes into a generation of its own, so that what is sealed and
 * what the sealing removes from the journal are the same.
 */
export interface Head {
  /** Keeps a tick that is in the journal; a moment of a series that is already here is not changed. */
  put(tick: SeriesTick, journalId: number): void;
  /** What is here of a series in an hour; earlier ones win. */
  grids(id: number, hourMs: number): Grid[];
  /** The hours that are here. */
  hours(): number[];
  /** Memory held by samples. */
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
  let bytes = 0;

  function openAt(hourMs: number): Generation {
    const hour = hours.get(hourMs) ?? { open: undefined, closed: [] };
    hours.set(hourMs, hour);
    return (hour.open ??= { hourMs, series: new Map(), journalIds: [], bytes: 0 });
  }

  return {
    put({ atMs, ids, columns }, journalId) {
      const hourMs = startOf(atMs, DETAIL);
      const slot = (atMs - hourMs) / DETAIL.stepMs;
      const generation = openAt(hourMs);
      const { series, journalIds } = generation;
      journalIds.push(journalId);
      const before = generation.bytes;
      for (let place = 0; place < ids.length; place += 1) {
        const id = ids[place] ?? 0;
        let samples = series.get(id);
        if (samples === undefined) series.set(id, (samples = createSamples(columnCount)));
        generation.bytes += samples.put(slot, columns, place);
      }
      bytes += generation.bytes - before;
    },
    grids(id, hourMs) {
      const { open, closed = [] } = hours.get(hourMs) ?? { open: undefined };
      return [...closed, ...(open === undefined ? [] : [open])].flatMap(({ series }) => {
        const samples = series.get(id);
        return samples === undefined ? [] : [samples.grid()];
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

/** The samples of generations by bundle and series. */
export function byBundle(generations: readonly Generation[]): Map<number, Map<number, Samples[]>> {
  const bundles = new Map<number, Map<number, Samples[]>>();
  for (const { series } of generations) {
    for (const [id, samples] of series) {
      const bundle = bundles.get(bundleOf(id)) ?? new Map<number, Samples[]>();
      bundles.set(bundleOf(id), bundle);
      bundle.set(id, [...(bundle.get(id) ?? []), samples]);
    }
  }
  return bundles;
}
