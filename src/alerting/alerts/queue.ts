import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { KeptAlert } from "./alert.ts";
import type { Order } from "./decide.ts";

/** The outcome of an order; nothing when it changed nothing. */
export interface Done {
  resolve(alert: KeptAlert | undefined): void;
  reject(error: unknown): void;
}

export interface QueuedOrder {
  order: Order;
  /** Who waits for the outcome; nobody for orders from events. */
  done: Done | undefined;
}

/** Makes orders when their turn comes, from what is known then. */
export type MakeOrders = () => readonly Order[];

const MAX_WAITING = 50_000;
/** How many share one unit of writing: a larger one would hold up the event loop. */
const MAX_TAKEN = 64;
/** How many orders that wait for an earlier one about the same problem may be passed over to find others. */
const MAX_PASSED_OVER = 256;

/** Orders that wait for their turn. Orders about one problem keep their sequence; those about different problems may share a unit. */
interface Queue {
  readonly size: number;
  /** Whether an order about this key waits. */
  has(key: string): boolean;
  /** False when there is no room: the source reports the problem again at the next reconciliation. */
  add(queued: QueuedOrder): boolean;
  /** Nothing behind it is taken before its orders are. */
  addMade(make: MakeOrders): void;
  /** The next orders, each about a different problem; empty when nothing waits. */
  take(): QueuedOrder[];
  /** Drops the orders whose outcome somebody waits for; answers their callers. */
  dropAsked(): Done[];
  /** Drops the orders that match, also among those not made yet; answers the callers that wait for one. */
  drop(isUnwanted: (order: Order) => boolean): Done[];
  /** Puts orders without an outcome back to the front. */
  putBack(orders: readonly QueuedOrder[]): void;
}

export function createQueue(): Queue {
  let waiting: (QueuedOrder | MakeOrders)[] = [];
  const keys = new Map<string, number>();

  function count(key: string, by: number): void {
    const left = (keys.get(key) ?? 0) + by;
    if (left > 0) keys.set(key, left);
    else keys.delete(key);
  }

  function putFirst(orders: readonly QueuedOrder[]): void {
    for (const { order } of orders) count(order.key, 1);
    waiting = [...orders, ...waiting];
  }

  return {
    get size() {
      return waiting.length;
    },
    has: (key) => keys.has(key),
    add(queued) {
      if (waiting.length >= MAX_WAITING) return false;
      waiting.push(queued);
      count(queued.order.key, 1);
      return true;
    },
    addMade: (make) => void waiting.push(make),
    take() {
      for (let first = waiting[0]; typeof first === "function"; first = waiting[0]) {
        waiting.shift();
        putFirst(first().map((order) => ({ order, done: undefined })));
      }
      const taken = new Map<string, QueuedOrder>();
      const left: QueuedOrder[] = [];
      let seen = 0;
      for (const next of waiting) {
        if (typeof next === "function" || taken.size >= MAX_TAKEN || left.length >= MAX_PASSED_OVER) break;
        seen += 1;
        const { key } = next.order;
        if (taken.has(key)) left.push(next);
        else taken.set(key, next);
      }
      waiting.splice(0, seen, ...left);
      for (const key of taken.keys()) count(key, -1);
      return [...taken.values()];
    },
    dropAsked() {
      const asked: Done[] = [];
      waiting = waiting.filter((next) => {
        if (typeof next === "function" || next.done === undefined) return true;
        asked.push(next.done);
        count(next.order.key, -1);
        return false;
      });
      return asked;
    },
    drop(isUnwanted) {
      const asked: Done[] = [];
      waiting = waiting.flatMap((next): (QueuedOrder | MakeOrders)[] => {
        if (typeof next === "function") return [() => next().filter((order) => !isUnwanted(order))];
        if (!isUnwanted(next.order)) return [next];
        count(next.order.key, -1);
        if (next.done !== undefined) asked.push(next.done);
        return [];
      });
      return asked;
    },
    putBack: putFirst,
  };
}

/** Between attempts while the database is away. */
const RETRY_MS = 1_000;

interface WorkerParts {
  queue: Queue;
  /** Saves some orders together. Without any it finds out what became of those whose commit was not answered. */
  apply(taken: readonly QueuedOrder[]): Promise<void>;
  /** Nothing waits any more. */
  onIdle(): void;
  clock: Clock;
  log: Log;
}

/** Works off a queue in the background, until it is stopped; it can be paused. */
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

  /** To be called when something waits. */
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

  /** Whether the database is away and the worker waits for its next attempt. */
  isRetrying(): boolean {
    return this.#retry !== undefined;
  }

  isStopped(): boolean {
    return this.#state === "stopped";
  }

  /** Resolves when nothing is being saved; saving starts again when the answer is called. */
  async pause(): Promise<() => void> {
    this.#pauses += 1;
    await this.#working;
    return () => {
      this.#pauses -= 1;
      this.wake();
    };
  }

  /** Works off what waits; drops what cannot be saved. */
  async stop(): Promise<void> {
    await this.#working;
    this.#cancelRetry();
    if (this.#parts.queue.size > 0) this.wake();
    await this.#working;
    this.#cancelRetry();
    this.#state = "stopped";
  }

  async #work(): Promise<void> {
    // Orders of the same turn of the event loop share one unit.
    await nextTurn();
    if (!(await this.#workOff([]))) return;
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

  /** False when the database is away: then what waits is tried again later. */
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
      // One of them is at fault, and the others must not fail with it.
      for (const [index, one] of taken.entries()) {
        if (await this.#workOff([one])) continue;
        queue.putBack(taken.slice(index + 1));
        return false;
      }
      return true;
    }
  }

  /** Callers get their error at once; orders from events are kept. */
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
