import { isDeepStrictEqual } from "node:util";

/** What was published of one kind of things, and what changed of it since the last look. */
export interface Published<Thing> {
  values(): IterableIterator<Thing>;
  entries(): IterableIterator<[string, Thing]>;
  get(id: string): Thing | undefined;
  /** undefined: it is not there any more. Answers whether that is news. */
  put(id: string, thing: Thing | undefined): boolean;
  /** What changed since this was called last. */
  takeChanges(): { changed: Thing[]; removed: string[] };
}

export function createPublished<Thing>(): Published<Thing> {
  const things = new Map<string, Thing>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  return {
    values: () => things.values(),
    entries: () => things.entries(),
    get: (id) => things.get(id),
    put(id, thing) {
      const before = things.get(id);
      if (thing === undefined) {
        if (!things.delete(id)) return false;
        changed.delete(id);
        removed.add(id);
        return true;
      }
      if (before !== undefined && isDeepStrictEqual(before, thing)) return false;
      things.set(id, thing);
      removed.delete(id);
      changed.add(id);
      return true;
    },
    takeChanges() {
      const taken = { changed: [...changed].flatMap((id) => things.get(id) ?? []), removed: [...removed] };
      changed.clear();
      removed.clear();
      return taken;
    },
  };
}
