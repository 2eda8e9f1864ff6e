/** How long and how many of what is over are kept for looking back. */
export const KEPT = { days: 365, records: 1000 } as const;

/** Deleted in one unit: small enough not to hold up the writer. */
const BATCH = 500;

const LOOKED_EVERY_MS = 3_600_000;

/** What is over, by when it was. */
export interface Over {
  id: number;
  since: Date;
}

/** Those that are not kept any longer, at most a batch of them. */
export function expendable(over: readonly Over[], now: Date): number[] {
  const before = now.getTime() - KEPT.days * 86_400_000;
  const newestFirst = over.toSorted((a, b) => b.since.getTime() - a.since.getTime() || b.id - a.id);
  return newestFirst
    .filter(({ since }, index) => index >= KEPT.records || since.getTime() < before)
    .slice(-BATCH)
    .map(({ id }) => id);
}

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
