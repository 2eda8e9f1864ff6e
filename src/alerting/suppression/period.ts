import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import type { Fault } from "../../platform/errors.ts";

/** A period of time: includes its start, excludes its end. */
export interface Period {
  startsAt: Date;
  endsAt: Date;
}

type Standing = "before" | "within" | "over";

const LONGEST_MS = SUPPRESSION_BOUNDS.days * DAY_MS;

export function standing({ startsAt, endsAt }: Period, now: Date): Standing {
  if (now >= endsAt) return "over";
  return now >= startsAt ? "within" : "before";
}

/** In how many milliseconds the first of these periods begins or ends; at most 0 when one is over, Infinity without any. */
export function nextChangeMs(periods: Iterable<Period>, now: Date): number {
  let firstMs = Infinity;
  for (const period of periods) {
    const next = standing(period, now) === "before" ? period.startsAt : period.endsAt;
    firstMs = Math.min(firstMs, next.getTime() - now.getTime());
  }
  return firstMs;
}

/** What is wrong with a requested period, with the paths of the JSON fields. */
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

/** How long, and how many, past silences and windows are kept. */
export const KEPT = { days: 365, records: 1000 } as const;

/** How many are deleted in one unit: few enough not to hold up the writer. */
const BATCH = 500;

/** A past silence or window, with the time of its end. */
interface Over {
  id: number;
  since: Date;
}

/** Those that are past their retention, at most a batch of them. */
export function expendable(over: readonly Over[], now: Date): number[] {
  const before = now.getTime() - KEPT.days * DAY_MS;
  const newestFirst = over.toSorted((a, b) => b.since.getTime() - a.since.getTime() || b.id - a.id);
  return newestFirst
    .filter(({ since }, index) => index >= KEPT.records || since.getTime() < before)
    .slice(-BATCH)
    .map(({ id }) => id);
}

/** Whether past ones must be looked through: at once when there are too many, and once an hour for their age. */
export function isPurgeDue(count: number, last: Date | undefined, now: Date): boolean {
  return count > KEPT.records || last === undefined || Math.abs(now.getTime() - last.getTime()) >= HOUR_MS;
}
