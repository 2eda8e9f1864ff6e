import { type CronLine, nextMatch, parseCron } from "./cron.ts";
import { findTransition, openZone, type Zone } from "./zone.ts";

/** When a job is expected to report. `timezone`, an IANA name, is that of the cron line; an interval only shows it. */
export type Schedule = { timezone: string } & ({ kind: "interval"; intervalSeconds: number } | { kind: "cron"; cron: string });

/**
 * When the next ping is expected after one at `at`. `pending` is the time at which it was expected anyway: a ping that comes a little before that is
 * for it, since clocks differ.
 */
export type Timetable = (schedule: Schedule, at: Date, pending: Date | null) => Date;

const MINUTE_MS = 60_000;
/** At most a tenth of the time to the following firing, and never more than this, is early and not for the one before. */
const EARLY_MS = 60_000;
/** Longer than any hour that a clock repeats. */
const LONGEST_REPEAT_MS = 4 * 3_600_000;
const CACHED_LINES = 1000;

/** Remembers the lines and zones that it was asked about, since opening them costs far more than reading them. */
export function createTimetable(): Timetable {
  const zones = new Map<string, Zone>();
  const lines = new Map<string, CronLine>();

  function zoneOf(name: string): Zone {
    const known = zones.get(name) ?? openZone(name);
    if (known === undefined) throw new TypeError(`there is no time zone ${name}`);
    zones.set(name, known);
    return known;
  }

  function lineOf(text: string): CronLine {
    const known = lines.get(text);
    if (known !== undefined) return known;
    const parsed = parseCron(text);
    if ("fault" in parsed) throw new TypeError(parsed.fault);
    if (lines.size >= CACHED_LINES) lines.clear();
    lines.set(text, parsed.line);
    return parsed.line;
  }

  return (schedule, at, pending) => {
    if (schedule.kind === "interval") return new Date(at.getTime() + schedule.intervalSeconds * 1000);
    const [line, zone] = [lineOf(schedule.cron), zoneOf(schedule.timezone)];
    if (pending === null || pending <= at) return nextFiring(line, zone, at);
    const earlyMs = pending.getTime() - at.getTime();
    // What was the next firing after an earlier time is it still.
    if (earlyMs > EARLY_MS) return pending;
    const following = nextFiring(line, zone, pending);
    return earlyMs * 10 <= following.getTime() - pending.getTime() ? following : pending;
  };
}

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
