import type { PastChangeList } from "../../../../src/publishing/overview/answers.ts";

export type Change = PastChangeList["changes"][number];

/** A change, or all changes of state that one container repeated. */
export interface FoldedChange {
  /** The latest of them. */
  change: Change;
  /** All of them, newest first; absent where there is one. */
  repeated?: readonly Change[];
}

/** The same change of one container as often as this is a loop. */
const LEAST_REPEATED = 3;

/** Changes newest first, with what one container repeats again and again in one row at its latest. */
export function foldChanges(changes: readonly Change[]): FoldedChange[] {
  const same = Map.groupBy(
    changes.filter(({ kind }) => kind === "container_changed"),
    ({ entity, what }) => JSON.stringify([entity.id, what]),
  );
  const repeated = new Set([...same.values()].filter(({ length }) => length >= LEAST_REPEATED).flat());
  const loops = Map.groupBy([...repeated], ({ entity }) => String(entity.id));
  return changes.flatMap((change): FoldedChange[] => {
    if (!repeated.has(change)) return [{ change }];
    const all = loops.get(String(change.entity.id))?.toSorted((one, other) => other.at.localeCompare(one.at)) ?? [];
    return all[0] === change ? [{ change, repeated: all }] : [];
  });
}

/** How often a loop started its container, over how long, and how it ended last. */
export function countStarts(repeated: readonly Change[]): { starts: number; lengthMs: number; end: string | undefined } {
  const starts = repeated.filter(({ what }) => / to running\b/.test(what)).length;
  const [latest, first] = [repeated[0], repeated.at(-1)];
  const lengthMs = latest === undefined || first === undefined ? 0 : Date.parse(latest.at) - Date.parse(first.at);
  return { starts, lengthMs, end: repeated.map(({ what }) => /exit code \d+[^.]*/.exec(what)?.[0]).find((code) => code !== undefined) };
}
