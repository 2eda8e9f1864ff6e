/** Runs work with at most `slots` pieces under way; the rest waits in order. Throws the signal's reason when that is aborted before its turn. */
export type Limiter = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** How many may wait, and what who comes after them is told. */
export interface Queue {
  most: number;
  refusal(): Error;
}

export function createLimiter(slots: number, queue?: Queue): Limiter {
  let free = slots;
  const waiting = new Set<() => void>();

  async function takeSlot(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    if (queue !== undefined && waiting.size >= queue.most) throw queue.refusal();
    const turn = Promise.withResolvers<void>();
    const take = (): void => turn.resolve();
    const leave = (): void => {
      // Whose turn has come goes on: the slot is theirs already.
      if (waiting.delete(take)) turn.reject(signal?.reason);
    };
    waiting.add(take);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** A slot is handed from who leaves to who has waited longest. */
  function freeSlot(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  }

  return async (work, signal) => {
    await takeSlot(signal);
    try {
      return await work();
    } finally {
      freeSlot();
    }
  };
}
