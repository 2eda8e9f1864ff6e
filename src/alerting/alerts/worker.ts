import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Queue, QueuedOrder } from "./queue.ts";

/** Between attempts while the database is gone. */
const RETRY_MS = 1_000;

/** Works off a queue in the background, as long as it runs and nobody has paused it. */
export interface Worker {
  /** Something waits. */
  wake(): void;
  /** What is being saved now. */
  isSaving(key: string): boolean;
  /** Whether the database is away, and the next attempt waits. */
  isRetrying(): boolean;
  isStopped(): boolean;
  /** Resolves when nothing is being saved; nothing is until the answer is called. */
  pause(): Promise<() => void>;
  start(): void;
  /** Works off what waits; what cannot be saved is left. */
  stop(): Promise<void>;
}

export interface WorkerParts {
  queue: Queue;
  /** Saves some orders together. */
  apply(taken: readonly QueuedOrder[]): Promise<void>;
  /** Nothing waits any more. */
  onIdle(): void;
  clock: Clock;
  log: Log;
}

export function createWorker({ queue, apply, onIdle, clock, log }: WorkerParts): Worker {
  let state: "new" | "running" | "stopped" = "new";
  let saving: ReadonlySet<string> = new Set();
  let pauses = 0;
  let working: Promise<void> | undefined;
  let retry: Timer | undefined;

  function wake(): void {
    if (state !== "running" || pauses > 0 || working !== undefined || retry !== undefined) return;
    working = work().finally(() => {
      working = undefined;
    });
  }

  async function work(): Promise<void> {
    // What is said in the same turn of the event loop goes with one unit.
    await nextTurn();
    for (let taken = takeSome(); taken.length > 0; taken = takeSome()) {
      saving = new Set(taken.map(({ order }) => order.key));
      const isDone = await workOff(taken);
      saving = new Set();
      if (!isDone) return;
      await nextTurn();
    }
    onIdle();
  }

  function takeSome(): QueuedOrder[] {
    return pauses > 0 ? [] : queue.take();
  }

  /** False when there is no database: then what waits is tried again later. */
  async function workOff(taken: readonly QueuedOrder[]): Promise<boolean> {
    try {
      await apply(taken);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) {
        queue.putBack(taken);
        // Who asks is told at once; what events said is kept.
        for (const done of queue.dropAsked()) done.reject(error);
        retry = clock.after(RETRY_MS, tryAgain);
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
        if (await workOff([one])) continue;
        queue.putBack(taken.slice(index + 1));
        return false;
      }
      return true;
    }
  }

  function tryAgain(): void {
    retry = undefined;
    wake();
  }

  function cancelRetry(): void {
    retry?.cancel();
    retry = undefined;
  }

  return {
    wake,
    isSaving: (key) => saving.has(key),
    isRetrying: () => retry !== undefined,
    isStopped: () => state === "stopped",
    async pause() {
      pauses += 1;
      await working;
      return () => {
        pauses -= 1;
        wake();
      };
    },
    start() {
      state = "running";
      wake();
    },
    async stop() {
      await working;
      cancelRetry();
      if (queue.size > 0) wake();
      await working;
      cancelRetry();
      state = "stopped";
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
