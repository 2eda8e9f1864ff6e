import type { Copy } from "./copies.ts";

/** Pages that are made when first asked for, since there are too many to print all: each once, until something changes. */
export interface Shelf {
  /** `make` answers undefined where there is nothing. Those who ask meanwhile wait for the same. */
  take(key: string, make: () => Promise<Copy | undefined>): Promise<Copy | undefined>;
  clear(): void;
}

export function createShelf(capacity: number): Shelf {
  const kept = new Map<string, Promise<Copy | undefined>>();
  return {
    take(key, make) {
      const there = kept.get(key);
      if (there !== undefined) return there;
      const [oldest] = kept.keys();
      if (kept.size >= capacity && oldest !== undefined) kept.delete(oldest);
      const made = make();
      kept.set(key, made);
      // A failure is told to those who waited, and not kept.
      made.catch(() => {
        if (kept.get(key) === made) kept.delete(key);
      });
      return made;
    },
    clear: () => kept.clear(),
  };
}
