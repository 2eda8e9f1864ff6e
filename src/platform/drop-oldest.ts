/** What came since the last time of asking, in its order, and how many before it were dropped. */
export interface Newest<Item> {
  items: readonly Item[];
  dropped: number;
}

export interface DropOldestOptions<Item> {
  /** So many of the first wait for their reader, and are never dropped. */
  keepFirst: number;
  /** Of what waits for its reader after them. */
  most: number;
  mostSize: number;
  sizeOf: (item: Item) => number;
}

/**
 * Reads a source as fast as it comes, however slowly it is read itself: of what waits, the oldest items are dropped and counted. A source that waits for
 * more is left so when the reader stops: it has to be ended by its own signal.
 */
export async function* dropOldest<Item>(
  source: AsyncIterable<readonly Item[]>,
  { keepFirst, most, mostSize, sizeOf }: DropOldestOptions<Item>,
): AsyncGenerator<Newest<Item>, void, undefined> {
  let waiting: Item[] = [];
  let size = 0;
  let dropped = 0;
  let left = keepFirst;
  let ended: { error?: unknown } | undefined;
  let isRead = true;
  let news = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();

  /** Keeps the newest within the bounds. */
  function trim(): void {
    let start = waiting.length;
    let kept = 0;
    for (; start > 0 && waiting.length - start < most; start -= 1) {
      kept += sizeOf(waiting[start - 1] as Item);
      if (kept > mostSize) break;
    }
    dropped += start;
    waiting = waiting.slice(start);
    size = waiting.reduce((sum, item) => sum + sizeOf(item), 0);
  }

  async function read(): Promise<void> {
    for await (const items of source) {
      if (!isRead) return;
      for (const item of items) {
        waiting.push(item);
        size += sizeOf(item);
      }
      const isFirst = left > 0;
      left -= items.length;
      if (!isFirst && (waiting.length > most || size > mostSize)) trim();
      news.resolve();
      if (isFirst) await taken.promise;
    }
  }

  void read().then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  function end(how: { error?: unknown }): void {
    ended = how;
    news.resolve();
  }

  try {
    for (;;) {
      if (waiting.length > 0) {
        const newest = { items: waiting, dropped };
        waiting = [];
        size = 0;
        dropped = 0;
        taken.resolve();
        taken = Promise.withResolvers();
        yield newest;
      } else if (ended !== undefined) {
        if ("error" in ended) throw ended.error;
        return;
      } else {
        await news.promise;
        news = Promise.withResolvers();
      }
    }
  } finally {
    isRead = false;
    taken.resolve();
  }
}
