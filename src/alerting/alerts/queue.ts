import type { KeptAlert } from "./alert.ts";
import type { Order } from "./decide.ts";

/** What came of an order; nothing when it changed nothing. */
export interface Done {
  resolve(alert: KeptAlert | undefined): void;
  reject(error: unknown): void;
}

export interface QueuedOrder {
  order: Order;
  /** Who waits for it; nobody for what events say. */
  done: Done | undefined;
}

/** Orders that are made up when their turn comes, by what is known then. */
export type MakeOrders = () => readonly Order[];

const MAX_WAITING = 50_000;
/** As many as go with one unit of writing: a larger one would hold up the event loop. */
const MAX_TAKEN = 64;
/** How far to look for orders about other problems, past those that must wait for one of their own. */
const MAX_PASSED_OVER = 256;

/** Orders that wait their turn. About one problem they keep their order; about different ones they may share a unit. */
export interface Queue {
  readonly size: number;
  /** Whether something about this key waits. */
  has(key: string): boolean;
  /** False when there is no room: the source says it again at the next reconciliation. */
  add(queued: QueuedOrder): boolean;
  /** Nothing after it is taken before its orders are. */
  addMade(make: MakeOrders): void;
  /** The next orders, each about another problem; none when nothing waits. */
  take(): QueuedOrder[];
  /** Gives up those that somebody waits for; answers who. */
  dropAsked(): Done[];
  /** Gives up orders of which this is so, those among them that are yet to be made up; answers who waits for one. */
  drop(isUnwanted: (order: Order) => boolean): Done[];
  /** To the front, since nothing came of them. */
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
