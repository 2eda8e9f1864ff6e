import { ServiceError } from "../../platform/errors.ts";

export interface TurnLimits {
  /** Running at once for one caller. */
  running: number;
  /** Waiting for their turn, of one caller and in all. */
  waiting: number;
  waitingInAll: number;
}

/** Calls of one caller take turns, so that nobody holds up the others. */
export interface Turns {
  /** Runs the work when it is its turn. Throws `rate_limited` when too many wait already. */
  take<Result>(caller: string, work: () => Promise<Result> | Result): Promise<Result>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

export function createTurns({ running, waiting, waitingInAll }: TurnLimits): Turns {
  const queues = new Map<string, Queue>();
  let waitingNow = 0;

  async function admit(queue: Queue): Promise<void> {
    if (queue.running < running) {
      queue.running += 1;
      return;
    }
    if (queue.waiting.length >= waiting || waitingNow >= waitingInAll) {
      throw new ServiceError("rate_limited", "Too many calls at once. Wait for the answers of those in progress, then ask again.");
    }
    waitingNow += 1;
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
    waitingNow -= 1;
  }

  /** Gives the place to the next who waits. */
  function leave(caller: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next !== undefined) return next();
    queue.running -= 1;
    if (queue.running === 0) queues.delete(caller);
  }

  return {
    async take(caller, work) {
      const queue = queues.get(caller) ?? { running: 0, waiting: [] };
      queues.set(caller, queue);
      await admit(queue);
      try {
        return await work();
      } finally {
        leave(caller, queue);
      }
    },
  };
}
