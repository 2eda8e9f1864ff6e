import type { Event } from "../../events.ts";
import { dueEvent, ONE_BY_ONE } from "./changes.ts";
import { applyDeadline } from "./heartbeat.ts";
import type { HeartbeatParts } from "./serving.ts";
import { type Due, type Saving, savingOf } from "./store.ts";

/** Judged in one unit; pings wait no longer than that. */
const BATCH = 250;

interface Judgment {
  due: Due;
  saving: Saving;
  /** undefined: it is only due later than its row says. */
  event: Event | undefined;
}

/** Finds what is due and judges it, once. */
export interface DeadlineWatch {
  /** Throws `storage_unavailable`; what was not judged then is found again. */
  judge(signal: AbortSignal): Promise<void>;
}

export function createDeadlineWatch({ store, projection, serving, serial, bus, clock }: HeartbeatParts): DeadlineWatch {
  /** Answers how many were ours. */
  async function judgeBatch(now: Date, found: readonly Due[]): Promise<number> {
    const judgments = found.flatMap((due) => judgmentOf(due, now) ?? []);
    const claimed = await store.claim(judgments, (unit, ours) =>
      bus.keep(
        unit,
        judgments.flatMap(({ due, event }) => (event !== undefined && ours.has(due.id) ? [event] : [])),
      ),
    );
    for (const { due, saving, event } of judgments) {
      if (!claimed.has(due.id)) continue;
      projection.put(saving.next);
      if (event !== undefined) bus.publish(event);
    }
    return claimed.size;
  }

  function judgmentOf(due: Due, now: Date): Judgment | undefined {
    const previous = projection.get(due.id);
    if (previous === undefined) return undefined;
    const change = applyDeadline(previous, now, serving.times());
    if (change === undefined) return { due, saving: { next: previous, steps: [], past: [] }, event: undefined };
    const saving = savingOf(due.id, change);
    return { due, saving, event: dueEvent(previous, saving.next, { at: now, what: change.what }) };
  }

  return {
    async judge(signal) {
      await serving.checkClock();
      if (!serving.isOpen()) return;
      // A ping that arrived before this moment is applied before anything is judged by it.
      const now = clock.now();
      if (!projection.isAnyDue(now)) return;
      for (;;) {
        const found = await store.due(now, BATCH);
        if (found.length === 0 || signal.aborted) return;
        const ours = await serial(ONE_BY_ONE, () => judgeBatch(now, found));
        if (ours === 0 || found.length < BATCH) return;
      }
    },
  };
}
