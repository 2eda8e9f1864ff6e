import { DAY_MS } from "../../contract/time.ts";

const PURGE_HOUR = 3;
const KEPT_MS = 90 * DAY_MS;

/** The latest 03:00 in this host's time zone that is not after now. Source: specification, Limits. */
export function lastPurgeTime(now: Date): Date {
  const ofDay = (daysBack: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack, PURGE_HOUR);
  const today = ofDay(0);
  return today <= now ? today : ofDay(1);
}

/**
 * Runs that ended before this moment are to be deleted by now. It depends on the time alone, not on a timer, so a purge that was missed while the
 * program was stopped is made up for at its start.
 */
export function endedBefore(now: Date): Date {
  return new Date(lastPurgeTime(now).getTime() - KEPT_MS);
}
