/** What came of one piece of work. `waitingSince` is the order of the oldest piece that is not told yet, or undefined. */
export interface Told<Result> {
  result: Result;
  order: bigint;
  waitingSince: bigint | undefined;
}

/**
 * Work that arrives in order and belongs to keys: pieces of one key are done one after the other, those of different keys side by side,
 * and results are told as they come.
 */
export interface OrderedWork<Result> {
  add(key: string, order: bigint, work: () => Promise<Result | undefined>): void;
  /** Ends the results with an error, after those that are ready. */
  fail(error: unknown): void;
  readonly waiting: number;
  /** The results, until a failure. */
  results(): AsyncGenerator<Told<Result>, never>;
}

export function createOrderedWork<Result>(): OrderedWork<Result> {
  const lastOfKey = new Map<string, Promise<void>>();
  const untold = new Set<{ order: bigint }>();
  const ready: { result: Result; piece: { order: bigint } }[] = [];
  let failure: { error: unknown } | undefined;
  let wake = (): void => {};

  function fail(error: unknown): void {
    failure ??= { error };
    wake();
  }

  return {
    add(key, order, work) {
      const piece = { order };
      untold.add(piece);
      const before = lastOfKey.get(key) ?? Promise.resolve();
      const done: Promise<void> = before
        .then(work)
        .then((result) => {
          if (result === undefined) untold.delete(piece);
          else ready.push({ result, piece });
          wake();
        })
        .catch(fail)
        .finally(() => {
          if (lastOfKey.get(key) === done) lastOfKey.delete(key);
        });
      lastOfKey.set(key, done);
    },
    fail,
    get waiting() {
      return untold.size;
    },
    async *results() {
      for (;;) {
        const next = ready.shift();
        if (next !== undefined) {
          untold.delete(next.piece);
          const [oldest] = untold;
          yield { result: next.result, order: next.piece.order, waitingSince: oldest?.order };
        } else if (failure !== undefined) {
          throw failure.error;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
