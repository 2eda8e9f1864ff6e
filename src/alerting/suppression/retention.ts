/** How long and how many of what is over are kept for looking back. */
export const KEPT = { days: 365, records: 1000 } as const;

/** Deleted in one unit: small enough not to hold up the writer. */
const BATCH = 500;

/** Those that are not kept any longer, at most a batch of them. */
export function expendable(over: readonly { id: number; since: Date }[], now: Date): number[] {
  const before = now.getTime() - KEPT.days * 86_400_000;
  const newestFirst = over.toSorted((a, b) => b.since.getTime() - a.since.getTime() || b.id - a.id);
  return newestFirst
    .filter(({ since }, index) => index >= KEPT.records || since.getTime() < before)
    .slice(-BATCH)
    .map(({ id }) => id);
}
