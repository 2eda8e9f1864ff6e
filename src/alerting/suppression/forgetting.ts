import { expendable, KEPT } from "./retention.ts";

/** What is over, by when it was. */
export interface Over {
  id: number;
  since: Date;
}

const LOOKED_EVERY_MS = 3_600_000;

/**
 * Removes what is not kept any longer, when there is too much of it, and else looks for what is too old once an hour. Answers
 * what it removed.
 */
export function createForgetting(
  remove: (ids: readonly number[]) => Promise<void>,
): (count: number, over: () => readonly Over[], now: Date) => Promise<readonly number[]> {
  let lookedAtMs = -Infinity;
  return async (count, over, now) => {
    if (count <= KEPT.records && Math.abs(now.getTime() - lookedAtMs) < LOOKED_EVERY_MS) return [];
    lookedAtMs = now.getTime();
    const ids = count === 0 ? [] : expendable(over(), now);
    if (ids.length > 0) await remove(ids);
    return ids;
  };
}
