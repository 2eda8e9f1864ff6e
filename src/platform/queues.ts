/** Runs at most `slots` pieces of work at a time; the rest waits in order. Throws the signal's reason when it is aborted before the work begins. */
export type Limiter = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** How many may wait, and the error for those beyond that. */
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
      // Work whose turn has come is not aborted: it has its slot.
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

  /** Passes the slot to the work that has waited longest. */
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

/** How many items are worked on at once. */
interface Lanes<Item> {
  /** Items of one lane are worked on one after another. */
  laneOf(item: Item): string;
  perLane: number;
  atOnce: number;
  /** When it is aborted, no further item starts; running ones are waited for. */
  signal: AbortSignal;
}

/** Works on all items, in turn by lane, so that a slow lane delays no other. The work must not throw. */
export async function workInLanes<Item>(
  items: Iterable<Item>,
  { laneOf, perLane, atOnce, signal }: Lanes<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = new Map<string, { waiting: Item[]; busy: number }>();
  for (const item of items) {
    const lane = lanes.get(laneOf(item)) ?? { waiting: [], busy: 0 };
    lane.waiting.push(item);
    lanes.set(laneOf(item), lane);
  }
  const underWay = new Set<Promise<void>>();

  function begin(): void {
    for (let begun = true; begun && underWay.size < atOnce && !signal.aborted;) {
      begun = false;
      for (const lane of lanes.values()) {
        if (underWay.size >= atOnce) return;
        const item = lane.busy < perLane ? lane.waiting.shift() : undefined;
        if (item === undefined) continue;
        begun = true;
        lane.busy += 1;
        const mine: Promise<void> = work(item).finally(() => {
          lane.busy -= 1;
          underWay.delete(mine);
        });
        underWay.add(mine);
      }
    }
  }

  for (begin(); underWay.size > 0; begin()) await Promise.race(underWay);
}

/** Runs the work of one key one after another; different keys do not wait for each other. */
export type Serial = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Waits for the turn of a key, and keeps it until the answer is called. */
export function hold(serial: Serial, key: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    serial(key, () => new Promise<void>((release) => resolve(release))).catch(reject);
  });
}

/**
 * Runs background work by key: one run of a key at a time, and one more after it for all who asked while it ran. Keys do not wait for each other. A
 * request carries no data: a run finds out by itself what there is to do.
 */
export class WorkQueue<Key = void> {
  readonly #run: (key: Key, signal: AbortSignal) => Promise<void>;
  readonly #runs = new Map<Key, { isAskedAgain: boolean; done: Promise<void> }>();
  readonly #stopping = new AbortController();

  /** `run` does all work that a key has; its signal is aborted when the queue stops. */
  constructor(run: (key: Key, signal: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run of the key that began after this call has ended, rejects when that fails; resolves at once after the stop. */
  ask(key: Key): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    const known = this.#runs.get(key);
    if (known !== undefined) {
      known.isAskedAgain = true;
      return known.done;
    }
    const entry = { isAskedAgain: false, done: Promise.resolve() };
    this.#runs.set(key, entry);
    return (entry.done = this.#work(key, entry));
  }

  async #work(key: Key, entry: { isAskedAgain: boolean }): Promise<void> {
    try {
      do {
        entry.isAskedAgain = false;
        await this.#run(key, this.#stopping.signal);
      } while (entry.isAskedAgain && !this.#stopping.signal.aborted);
    } finally {
      // In the same step as the last check of requests, so that none can come in between.
      this.#runs.delete(key);
    }
  }

  /** No further run starts. Resolves when the running ones have ended, successfully or not. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#runs.values()].map(({ done }) => done));
  }
}

/** Runs work once, on first use, and keeps its result; after a failure the next call starts it again. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () =>
    (begun ??= work().catch((error: unknown) => {
      begun = undefined;
      throw error;
    }));
}
