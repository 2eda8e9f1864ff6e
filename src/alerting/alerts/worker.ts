import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Queue, QueuedOrder } from "./queue.ts";

/** Between attempts while the database is gone. */
const RETRY_MS = 1_000;

export interface WorkerParts {
  queue: Queue;
  /** Saves some orders together. */
  apply(taken: readonly QueuedOrder[]): Promise<void>;
  /** Nothing waits any more. */
  onIdle(): void;
  clock: Clock;
  log: Log;
}

/** Works off a queue in the background, as long as it runs and nobody has paused it. */
export class Worker {
  readonly #parts: WorkerParts;
  #state: "new" | "running" | "stopped" = "new";
  #saving: ReadonlySet<string> = new Set();
  #pauses = 0;
  #working: Promise<void> | undefined;
  #retry: Timer | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#state = "running";
    this.wake();
  }

  /** Something waits. */
  wake(): void {
    if (this.#state !== "running" || this.#pauses > 0 || this.#working !== undefined || this.#retry !== undefined) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** What is being saved now. */
  isSaving(key: string): boolean {
    return this.#saving.has(key);
  }

  /** Whether the database is away, and the next attempt waits. */
  isRetrying(): boolean {
    return this.#retry !== undefined;
  }

  isStopped(): boolean {
    return this.#state === "stopped";
  }

  /** Resolves when nothing is being saved; nothing is until the answer is called. */
  async pause(): Promise<() => void> {
    this.#pauses += 1;
    await this.#working;
    return () => {
      this.#pauses -= 1;
      this.wake();
    };
  }

  /** Works off what waits; what cannot be saved is left. */
  async stop(): Promise<void> {
    await this.#working;
    this.#cancelRetry();
    if (this.#parts.queue.size > 0) this.wake();
    await this.#working;
    this.#cancelRetry();
    this.#state = "stopped";
  }

  async #work(): Promise<void> {
    // What is said in the same turn of the event loop goes with one unit.
    await nextTurn();
    for (let taken = this.#takeSome(); taken.length > 0; taken = this.#takeSome()) {
      this.#saving = new Set(taken.map(({ order }) => order.key));
      const isDone = await this.#workOff(taken);
      this.#saving = new Set();
      if (!isDone) return;
      await nextTurn();
    }
    this.#parts.onIdle();
  }

  #takeSome(): QueuedOrder[] {
    return this.#pauses > 0 ? [] : this.#parts.queue.take();
  }

  /** False when there is no database: then what waits is tried again later. */
  async #workOff(taken: readonly QueuedOrder[]): Promise<boolean> {
    const { queue, apply, log } = this.#parts;
    try {
      await apply(taken);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) {
        this.#putOff(taken, error);
        return false;
      }
      const [first] = taken;
      if (first === undefined || taken.length === 1) {
        log.error({ err: error, kind: first?.order.kind }, "an alert could not be worked off");
        first?.done?.reject(error);
        return true;
      }
      // One of them is at fault, and the others must not suffer from it.
      for (const [index, one] of taken.entries()) {
        if (await this.#workOff([one])) continue;
        queue.putBack(taken.slice(index + 1));
        return false;
      }
      return true;
    }
  }

  /** Who asks is answered at once; what events said is kept. */
  #putOff(taken: readonly QueuedOrder[], error: unknown): void {
    const { queue, clock } = this.#parts;
    queue.putBack(taken);
    for (const done of queue.dropAsked()) done.reject(error);
    this.#retry = clock.after(RETRY_MS, () => {
      this.#retry = undefined;
      this.wake();
    });
  }

  #cancelRetry(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
