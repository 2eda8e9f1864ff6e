/** Something that is due at a time. An entry is in at most one heap. */
export interface Due {
  /** Milliseconds of whichever clock its user has. */
  dueMs: number;
  /** Where the heap keeps it; -1 while it is in none. */
  place: number;
}

/** Entries by their due times: the earliest is at hand, any can be taken out, each in logarithmic time. */
export interface DueHeap<Entry extends Due> {
  readonly size: number;
  add(entry: Entry): void;
  /** The earliest; undefined when there is none. */
  first(): Entry | undefined;
  /** Does nothing when the entry is not in it. */
  remove(entry: Entry): void;
}

export function createDueHeap<Entry extends Due>(): DueHeap<Entry> {
  const entries: Entry[] = [];

  function put(entry: Entry, place: number): void {
    entries[place] = entry;
    entry.place = place;
  }

  function rise(entry: Entry, from: number): void {
    let place = from;
    while (place > 0) {
      const above = entries[(place - 1) >> 1];
      if (above === undefined || above.dueMs <= entry.dueMs) break;
      put(above, place);
      place = (place - 1) >> 1;
    }
    put(entry, place);
  }

  function sink(entry: Entry, from: number): void {
    let place = from;
    for (;;) {
      const [left, right] = [entries[place * 2 + 1], entries[place * 2 + 2]];
      const next = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (next === undefined || next.dueMs >= entry.dueMs) break;
      const freed = next.place;
      put(next, place);
      place = freed;
    }
    put(entry, place);
  }

  return {
    get size() {
      return entries.length;
    },
    add(entry) {
      entries.push(entry);
      rise(entry, entries.length - 1);
    },
    first: () => entries[0],
    remove(entry) {
      const { place } = entry;
      if (entries[place] !== entry) return;
      const last = entries.pop();
      entry.place = -1;
      if (last === undefined || last === entry) return;
      put(last, place);
      rise(last, place);
      sink(last, last.place);
    },
  };
}
