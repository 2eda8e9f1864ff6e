import type { Clock } from "../../platform/clock.ts";
import { endedBefore } from "./purge.ts";
import type { RunStore } from "./store.ts";
import type { Outbox } from "./seams.ts";

const BATCH = 200;

/** Keeps the notifications of runs in step with the deliveries, and deletes old runs. All functions throw `storage_unavailable`. */
export interface Bookkeeping {
  /** Asks for the outcome of deliveries made before a moment whose outcome is unknown. */
  reconcile(madeBefore: Date, signal: AbortSignal): Promise<void>;
  /** Runs after each 03:00 in this host's time zone, and after a start. */
  purge(signal: AbortSignal): Promise<void>;
}

export function createBookkeeping({ store, outbox, clock }: { store: RunStore; outbox: Outbox; clock: Clock }): Bookkeeping {
  let purgedBefore: number | undefined;

  return {
    async reconcile(madeBefore, signal) {
      for (let last = 0; !signal.aborted;) {
        const pending = await store.pending(madeBefore, last, BATCH);
        const outcomes = await outbox.outcomes(pending.map(({ deliveryId }) => deliveryId));
        for (const { deliveryId: id } of pending) {
          const outcome = outcomes.get(id) ?? {
            id,
            status: "failed",
            error: "Nothing is known of this delivery any more.",
            at: clock.now(),
          };
          if (outcome !== "pending") await store.settle(outcome);
        }
        last = pending.at(-1)?.id ?? last;
        if (pending.length < BATCH) return;
      }
    },

    async purge(signal) {
      const before = endedBefore(clock.now());
      if (before.getTime() === purgedBefore) return;
      while (!signal.aborted) {
        if ((await store.purge(before, BATCH)) < BATCH) {
          purgedBefore = before.getTime();
          return;
        }
      }
    },
  };
}
