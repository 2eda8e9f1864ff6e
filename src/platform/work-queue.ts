/**
 * Work in the background, by key: one run of a key at a time, and one more after it for all who asked meanwhile. Keys do not wait for each other.
 * Nothing is handed over: a run looks for itself at what there is to do.
 */
export class WorkQueue<Key = void> {
  readonly #run: (key: Key, signal: AbortSignal) => Promise<void>;
  readonly #runs = new Map<Key, { isAskedAgain: boolean; done: Promise<void> }>();
  readonly #stopping = new AbortController();

  /** `run` does all that there is to do for a key; its signal ends with the queue. */
  constructor(run: (key: Key, signal: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run of the key that began after this call is over, rejects when one fails; at once after the stop. */
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
      // In the same step as the last look at what is asked: nobody may ask in between.
      this.#runs.delete(key);
    }
  }

  /** No run begins. Resolves when those under way are over, however they ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#runs.values()].map(({ done }) => done));
  }
}
