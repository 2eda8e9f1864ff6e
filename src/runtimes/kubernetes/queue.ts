/** What waits to be taken, in order and within a bound. */
export interface Queue<Item> {
  push(item: Item): void;
  /** The next, when there is one; undefined once the signal is aborted. */
  next(signal: AbortSignal): Promise<Item | undefined>;
  /** Whether something was left out since this was asked last. */
  takeOverflow(): boolean;
}

export function createQueue<Item>(most: number): Queue<Item> {
  let items: Item[] = [];
  let isCut = false;
  let arrived = Promise.withResolvers<void>();
  return {
    push(item) {
      if (items.length >= most) {
        items = [];
        isCut = true;
      }
      items.push(item);
      arrived.resolve();
    },
    async next(signal) {
      while (items.length === 0) {
        if (signal.aborted) return undefined;
        arrived = Promise.withResolvers();
        const abort = (): void => arrived.resolve();
        signal.addEventListener("abort", abort, { once: true });
        await arrived.promise;
        signal.removeEventListener("abort", abort);
      }
      return signal.aborted ? undefined : items.shift();
    },
    takeOverflow() {
      const wasCut = isCut;
      isCut = false;
      return wasCut;
    },
  };
}
