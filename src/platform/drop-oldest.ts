/** The items since the last read, in order, and how many before them were dropped. */
export interface Newest<Item> {
  items: readonly Item[];
  dropped: number;
}

export interface DropOldestOptions<Item> {
  /** This many of the first items wait for their reader and are never dropped. */
  keepFirst: number;
  /** How many items may wait after those, and their size. */
  most: number;
  mostSize: number;
  sizeOf: (item: Item) => number;
}

/**
 * Reads a source as fast as it comes, however slowly its own reader takes the items: of those that wait, the oldest are dropped and counted. When the
 * reader stops, a source that waits for more is not ended: end it by its signal.
 */
export async function* dropOldest<Item>(
  source: AsyncIterable<readonly Item[]>,
  options: DropOldestOptions<Item>,
): AsyncGenerator<Newest<Item>, void, undefined> {
  const waiting = new WaitingItems(options);
  void waiting.readFrom(source);
  try {
    for (;;) {
      const newest = await waiting.take();
      if (newest === undefined) return;
      yield newest;
    }
  } finally {
    waiting.stop();
  }
}

class WaitingItems<Item> {
  readonly #options: DropOldestOptions<Item>;
  #items: Item[] = [];
  #size = 0;
  #dropped = 0;
  /** How many more of the first are never dropped. */
  #firstLeft: number;
  #ended: { error?: unknown } | undefined;
  #isStopped = false;
  #arrived = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  constructor(options: DropOldestOptions<Item>) {
    this.#options = options;
    this.#firstLeft = options.keepFirst;
  }

  /** Never rejects: the error of the source is thrown to the reader, after the items before it. */
  async readFrom(source: AsyncIterable<readonly Item[]>): Promise<void> {
    try {
      for await (const items of source) {
        if (this.#isStopped) break;
        await this.#add(items);
      }
      this.#ended = {};
    } catch (error) {
      this.#ended = { error };
    }
    this.#arrived.resolve();
  }

  /** Waits for the next items. undefined at the end of the source; throws the error that ended it. */
  async take(): Promise<Newest<Item> | undefined> {
    while (this.#items.length === 0 && this.#ended === undefined) {
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    if (this.#items.length === 0 && this.#ended !== undefined) {
      if ("error" in this.#ended) throw this.#ended.error;
      return undefined;
    }
    const newest = { items: this.#items, dropped: this.#dropped };
    this.#items = [];
    this.#size = 0;
    this.#dropped = 0;
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
    return newest;
  }

  stop(): void {
    this.#isStopped = true;
    this.#taken.resolve();
  }

  /** The first items wait until they are taken. */
  async #add(items: readonly Item[]): Promise<void> {
    const { most, mostSize, sizeOf } = this.#options;
    for (const item of items) {
      this.#items.push(item);
      this.#size += sizeOf(item);
    }
    const isFirst = this.#firstLeft > 0;
    this.#firstLeft -= items.length;
    if (!isFirst && (this.#items.length > most || this.#size > mostSize)) this.#trim();
    this.#arrived.resolve();
    if (isFirst) await this.#taken.promise;
  }

  /** Keeps the newest within the bounds. */
  #trim(): void {
    const { most, mostSize, sizeOf } = this.#options;
    let start = this.#items.length;
    let kept = 0;
    for (; start > 0 && this.#items.length - start < most; start -= 1) {
      kept += sizeOf(this.#items[start - 1] as Item);
      if (kept > mostSize) break;
    }
    this.#dropped += start;
    this.#items = this.#items.slice(start);
    this.#size = this.#items.reduce((sum, item) => sum + sizeOf(item), 0);
  }
}
