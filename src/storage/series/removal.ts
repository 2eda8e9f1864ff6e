import { BUNDLE_SIZE, bundleOf } from "./bundle.ts";
import { LEVELS } from "./levels.ts";
import type { SeriesTablesStore } from "./store.ts";

/** Series that are deleted: none of them is read, and their space is freed in steps. */
export interface Removals {
  /** Reads back those whose space was not free when the program ended. */
  start(): Promise<void>;
  has(id: number): boolean;
  add(ids: ReadonlySet<number>): void;
  /** Frees the space of all of them, a bounded unit at a time; one that was interrupted begins again with its bundle. */
  free(signal: AbortSignal): Promise<void>;
}

/** `hold` keeps what seals from a bundle whose rows change, and answers how to let go. */
export function createRemovals({ store, hold }: { store: SeriesTablesStore; hold(): Promise<() => void> }): Removals {
  const removed = new Set<number>();

  async function freeBundle(bundle: number, ids: readonly number[], signal: AbortSignal): Promise<void> {
    const places = new Set(ids.map((id) => id % BUNDLE_SIZE));
    for (const level of LEVELS) {
      for (let afterMs: number | undefined = -1; afterMs !== undefined;) {
        if (signal.aborted) return;
        afterMs = await held(() => store.free({ level, bundle, places, afterMs: afterMs ?? -1 }));
        await nextTurn();
      }
    }
    await store.endRemoval(ids);
    for (const id of ids) removed.delete(id);
  }

  async function held<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await hold();
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    async start() {
      for (const id of await store.removed()) removed.add(id);
    },
    has: (id) => removed.has(id),
    add(ids) {
      for (const id of ids) removed.add(id);
    },
    async free(signal) {
      for (const [bundle, ids] of Map.groupBy([...removed], bundleOf)) {
        if (signal.aborted) return;
        await freeBundle(bundle, ids, signal);
      }
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
