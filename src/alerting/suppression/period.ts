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
