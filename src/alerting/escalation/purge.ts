import { DAY_MS } from "../../contract/time.ts";

const PURGE_HOUR = 3;
const KEPT_MS = 90 * DAY_MS;

/** The latest 03:00, by this host's zone, that is not after now. Source: specification, Limits. */
export function lastPurgeTime(now: Date): Date {
  const ofDay = (daysBack: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack, PURGE_HOUR);
  const today = ofDay(0);
  return today <= now ? today : ofDay(1);
}

/**
 * Runs that ended before this are gone now. It follows from the time alone, so that a purge that a stopped program missed is made up for at its start, and
 * the moment of a purge depends on no timer.
 */
export function endedBefore(now: Date): Date {
  return new Date(lastPurgeTime(now).getTime() - KEPT_MS);
}
