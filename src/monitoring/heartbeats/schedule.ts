import { type CronLine, parseCron } from "../../contract/cron.ts";
import { nextFiring } from "../../contract/next-firing.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { openZone, type Zone } from "../../contract/zone.ts";

/** When a job is expected to report. `timezone`, an IANA name, is that of the cron line; an interval only shows it. */
export type Schedule = { timezone: string } & ({ kind: "interval"; intervalSeconds: number } | { kind: "cron"; cron: string });

/**
 * When the next ping is expected after one at `at`. `pending` is the time at which it was expected anyway: a ping that comes a little before that is
 * for it, since clocks differ.
 */
export type Timetable = (schedule: Schedule, at: Date, pending: Date | null) => Date;

/** At most a tenth of the time to the following firing, and never more than this, is early and not for the one before. */
const EARLY_MS = MINUTE_MS;
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
