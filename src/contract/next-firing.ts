import { type CronLine, nextMatch } from "./cron.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";
import { findTransition, type Zone } from "./zone.ts";

/** Longer than any hour that a clock repeats. */
const LONGEST_REPEAT_MS = 4 * HOUR_MS;

/**
 * The first firing after an instant, as Debian's cron does it when clocks change: a line with a star for minute or hour follows the clock on the wall. Any
 * other fires once for each of its times: at the first of two, and for one that is left out as soon as the clock has jumped over it.
 * Source: cron(8), Daylight saving time and other time changes.
 */
export function nextFiring(line: CronLine, zone: Zone, after: Date): Date {
  const offset = (atMs: number): number => zone.localMs(atMs) - atMs;
  let fromMs = after.getTime();
  let current = offset(fromMs);
  let local = nextLocal(line, Math.max(fromMs + current, line.isWildcard ? -Infinity : lastShown(zone, fromMs)) + 1);
  for (;;) {
    const atMs = local - current;
    if (offset(atMs) === current) return new Date(atMs);
    const { atMs: changeMs, jumpMs } = findTransition(zone, fromMs, atMs);
    const afterChange = changeMs + current + jumpMs;
    if (line.isWildcard) local = nextLocal(line, afterChange);
    else if (local < afterChange) return new Date(changeMs);
    fromMs = changeMs;
    current += jumpMs;
  }
}

/** The latest time that the clock has shown until now: it is later than now's in an hour that is repeated. */
function lastShown(zone: Zone, atMs: number): number {
  const earlierMs = atMs - LONGEST_REPEAT_MS;
  const jumped = zone.localMs(atMs) - zone.localMs(earlierMs) - LONGEST_REPEAT_MS;
  if (jumped >= 0) return zone.localMs(atMs);
  const { atMs: changeMs, jumpMs } = findTransition(zone, earlierMs, atMs);
  return Math.max(zone.localMs(changeMs) - jumpMs - MINUTE_MS, zone.localMs(atMs));
}

function nextLocal(line: CronLine, fromMs: number): number {
  const next = nextMatch(line, fromMs);
  if (next === undefined) throw new TypeError("a cron line that never fires");
  return next;
}
