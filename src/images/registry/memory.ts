/** Remembers within a bound of bytes; what was not asked for the longest time is forgotten first. */
export interface Memory<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, bytes: number): void;
  delete(key: string): void;
  clear(): void;
}

/** Of an entry beside what it holds. */
const ENTRY_BYTES = 200;

export function createMemory<Value>(maxBytes: number): Memory<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      remove(key);
      const size = bytes + key.length + ENTRY_BYTES;
      if (size > maxBytes) return;
      entries.set(key, { value, bytes: size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) return;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
