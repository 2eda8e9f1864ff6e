import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import type { Fault } from "../../platform/errors.ts";

/** A time from its start up to, and without, its end. */
export interface Period {
  startsAt: Date;
  endsAt: Date;
}

export type Standing = "before" | "within" | "over";

const LONGEST_MS = SUPPRESSION_BOUNDS.days * 86_400_000;

export function standing({ startsAt, endsAt }: Period, now: Date): Standing {
  if (now >= endsAt) return "over";
  return now >= startsAt ? "within" : "before";
}

/** In how many milliseconds the first of some periods begins or ends; at most 0 when one is over, Infinity without any. */
export function nextChangeMs(periods: Iterable<Period>, now: Date): number {
  let firstMs = Infinity;
  for (const period of periods) {
    const next = standing(period, now) === "before" ? period.startsAt : period.endsAt;
    firstMs = Math.min(firstMs, next.getTime() - now.getTime());
  }
  return firstMs;
}

/** What is wrong with a period that somebody asks for; wire spelling of the paths. */
export function periodFaults({ startsAt, endsAt }: Period, now: Date): Fault[] {
  const faults: Fault[] = [];
  if (startsAt.getTime() - now.getTime() > LONGEST_MS) {
    faults.push({ path: "starts_at", message: `Must be within ${SUPPRESSION_BOUNDS.days} days from now` });
  }
  if (endsAt <= startsAt) faults.push({ path: "ends_at", message: "Must be after starts_at" });
  else if (endsAt <= now) faults.push({ path: "ends_at", message: "Must be in the future" });
  else if (endsAt.getTime() - startsAt.getTime() > LONGEST_MS) {
    faults.push({ path: "ends_at", message: `Must be at most ${SUPPRESSION_BOUNDS.days} days after starts_at` });
  }
  return faults;
}

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
