/** Does work for each item, at most so many at a time; what one throws ends them all. */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  async function lane(): Promise<void> {
    for (let next = await waiting.next(); next.done !== true && !failed; next = await waiting.next()) await work(next.value);
  }
  async function guarded(): Promise<void> {
    try {
      await lane();
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  await Promise.all(Array.from({ length: most }, guarded));
}
