/** Things by a key that each has one of, and that may change. */
export interface Index {
  /** undefined: it has none, or is gone. */
  set(id: string, key: string | undefined): void;
  keyOf(id: string): string | undefined;
  of(key: string): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function createIndex(): Index {
  const keys = new Map<string, string>();
  const things = new Map<string, Set<string>>();
  return {
    set(id, key) {
      const before = keys.get(id);
      if (before === key) return;
      if (before !== undefined) {
        const known = things.get(before);
        known?.delete(id);
        if (known?.size === 0) things.delete(before);
        keys.delete(id);
      }
      if (key === undefined) return;
      keys.set(id, key);
      const known = things.get(key);
      if (known === undefined) things.set(key, new Set([id]));
      else known.add(id);
    },
    keyOf: (id) => keys.get(id),
    of: (key) => things.get(key) ?? NONE,
  };
}
