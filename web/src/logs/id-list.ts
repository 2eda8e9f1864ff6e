/** Rising numbers that come at the end and go at the beginning; both cost nothing to speak of. */
export interface IdList {
  readonly length: number;
  at(index: number): number | undefined;
  push(id: number): void;
  /** Forgets what is below `id`; answers how many those were. */
  dropBelow(id: number): number;
  /** Where `id` is, or where it would be: the index of the first that is not below it. */
  indexFrom(id: number): number;
  clear(): void;
}

/** Gone places are given back once they are this many. */
const COMPACT_AT = 4096;

export function createIdList(): IdList {
  let ids: number[] = [];
  let head = 0;

  function indexFrom(id: number): number {
    let low = head;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] ?? Number.POSITIVE_INFINITY) < id) low = middle + 1;
      else high = middle;
    }
    return low - head;
  }

  return {
    get length() {
      return ids.length - head;
    },
    at: (index) => (index < 0 ? undefined : ids[head + index]),
    push: (id) => void ids.push(id),
    dropBelow(id) {
      const gone = indexFrom(id);
      head += gone;
      if (head > COMPACT_AT && head * 2 > ids.length) {
        ids = ids.slice(head);
        head = 0;
      }
      return gone;
    },
    indexFrom,
    clear() {
      ids = [];
      head = 0;
    },
  };
}
