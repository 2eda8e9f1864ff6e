import type { Whose } from "../../../platform/look-back.ts";
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeSources,
  compareChanges,
  placeIn,
  type Position,
  type Remembered,
  type Told,
} from "./change.ts";

/** A stretch of time, and which page of what changed in it. */
export interface ChangesAsked {
  from: Date;
  /** undefined: whatever the latest is; a host's clock may be ahead of ours. */
  to?: Date | undefined;
  whose: Whose;
  /** Where the page before ended. */
  ended: Position | undefined;
  limit: number;
}

export interface ChangePage {
  changes: (Told & { kind: ChangeKind; at: Date })[];
  /** Where it ended; null: it is the last one. */
  ended: Position | null;
}

/** Reads what changed between two moments, over all features, newest first. */
export function createChangePages(sources: ChangeSources) {
  async function some(kind: ChangeKind, { from, to, whose, ended, limit }: ChangesAsked) {
    // One more than asked for of each tells whether there is another page.
    const back = { since: from, before: placeIn(kind, ended, to), whose, limit: limit + 1 };
    const found = (await sources[kind]?.page(back)) ?? [];
    return found.map((change: Remembered) => ({ kind, at: change.at, id: change.id, change }));
  }

  return async (asked: ChangesAsked): Promise<ChangePage> => {
    const found = (await Promise.all(CHANGE_KINDS.map((kind) => some(kind, asked)))).flat().toSorted(compareChanges);
    const page = found.slice(0, asked.limit);
    const last = page.at(-1);
    return {
      changes: page.map(({ kind, at, change }) => ({ ...change.tell(), kind, at })),
      ended:
        last === undefined || found.length <= asked.limit
          ? null
          : { sinceMs: asked.from.getTime(), atMs: last.at.getTime(), kind: last.kind, id: last.id },
    };
  };
}
