import { STRIP_STATES } from "../../../../../src/contract/strip.ts";
import type { Strip, StripList } from "../../../../../src/publishing/overview/answers.ts";
import type { Tile, TileGroup } from "../../../entities/wall/tiles.ts";

type Runs = Strip["runs"];

/** A group over time: as bad at each moment as the worst of its things. */
export interface Lane {
  key: string;
  name: string;
  runs: Runs;
  /** Its things, those first that were down longest. */
  rows: readonly { tile: Tile; runs: Runs }[];
}

/** The groups of the wall as far as strips are known of their things, in the same order. */
export function lanesOf(groups: readonly TileGroup[], { strips }: Pick<StripList, "strips">): Lane[] {
  const known = new Map(strips.map(({ type, id, runs }, index) => [`${type} ${id}`, { runs, index }]));
  return groups.flatMap(({ key, name, tiles }) => {
    const rows = tiles
      .flatMap((tile) => {
        const strip = known.get(`${tile.type} ${tile.id}`);
        return strip === undefined ? [] : [{ tile, ...strip }];
      })
      .toSorted((a, b) => a.index - b.index)
      .map(({ tile, runs }) => ({ tile, runs }));
    return rows.length === 0 ? [] : [{ key, name, rows, runs: worstOf(rows.map(({ runs }) => runs)) }];
  });
}

/** The worst of several strips of the same steps, at each step. */
export function worstOf(all: readonly Runs[]): Runs {
  const ranks: number[] = [];
  for (const runs of all) {
    let at = 0;
    for (const { state, steps } of runs) {
      const rank = STRIP_STATES.indexOf(state);
      for (const end = at + steps; at < end; at += 1) ranks[at] = Math.min(ranks[at] ?? rank, rank);
    }
  }
  const worst: Runs = [];
  for (const rank of ranks) {
    const state = STRIP_STATES[rank] ?? "unknown";
    const last = worst.at(-1);
    if (last?.state === state) last.steps += 1;
    else worst.push({ state, steps: 1 });
  }
  return worst;
}
