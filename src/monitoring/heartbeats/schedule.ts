import { type CronLine, parseCron, nextFiring } from "../../contract/cron.ts";
import { MINUTE_MS, DAY_MS } from "../../contract/time.ts";
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

/** Remembers the lines that it was asked about, since parsing them costs far more than reading them. */
export function createTimetable(): Timetable {
  const lines = new Map<string, CronLine>();

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

function zoneOf(name: string): Zone {
  const zone = openZone(name);
  if (zone === undefined) throw new TypeError(`there is no time zone ${name}`);
  return zone;
}

/** A run of a job whose start was reported and whose end was not yet. No two of a heartbeat have the same rid. */
export interface Run {
  /** Distinguishes overlapping runs; null for the one without. */
  rid: string | null;
  startedAt: Date;
}

export type Outcome = "success" | "failure" | "timeout";

/** How a run whose start was reported ended. */
export interface EndedRun extends Run {
  endedAt: Date;
  outcome: Outcome;
  exitCode: number | null;
}

/** Runs that overlap; more are not kept in mind, so the oldest is given up. */
const MAX_OPEN_RUNS = 100;
/** How long a run with a rid stays open without a max runtime. Others end with the next start. */
const FORGOTTEN_AFTER_MS = DAY_MS;

/** Opens a run. One that is open under the same rid, and the oldest of too many, are over: nobody will report their end. */
export function startRun(runs: readonly Run[], rid: string | null, at: Date): { runs: Run[]; givenUp: EndedRun[] } {
  const same = runs.filter((run) => run.rid === rid);
  const others = runs.filter((run) => run.rid !== rid);
  const tooMany = others.slice(0, Math.max(0, others.length + 1 - MAX_OPEN_RUNS));
  return {
    runs: [...others.slice(tooMany.length), { rid, startedAt: at }],
    givenUp: [...same, ...tooMany].map((run) => timedOut(run, at)),
  };
}

/** Takes the run that an end with this rid belongs to; undefined when its start was not reported. */
export function takeRun(runs: readonly Run[], rid: string | null): { runs: readonly Run[]; taken: Run | undefined } {
  const taken = runs.find((run) => run.rid === rid);
  return taken === undefined ? { runs, taken } : { runs: runs.filter((run) => run !== taken), taken };
}

/** When a run is taken for lost if it has not ended; null: never. */
export function limitOf({ rid, startedAt }: Run, maxRuntimeSeconds: number | null): Date | null {
  if (maxRuntimeSeconds !== null) return new Date(startedAt.getTime() + maxRuntimeSeconds * 1000);
  return rid === null ? null : new Date(startedAt.getTime() + FORGOTTEN_AFTER_MS);
}

/** Gives up the runs that are over: each ended when its limit was reached. */
export function expireRuns(
  runs: readonly Run[],
  { maxRuntimeSeconds, isOver }: { maxRuntimeSeconds: number | null; isOver(run: Run, limit: Date): boolean },
): { runs: readonly Run[]; givenUp: EndedRun[] } {
  const givenUp: EndedRun[] = [];
  const left = runs.filter((run) => {
    const limit = limitOf(run, maxRuntimeSeconds);
    if (limit === null || !isOver(run, limit)) return true;
    givenUp.push(timedOut(run, limit));
    return false;
  });
  return { runs: left, givenUp };
}

function timedOut(run: Run, at: Date): EndedRun {
  return { ...run, endedAt: at < run.startedAt ? run.startedAt : at, outcome: "timeout", exitCode: null };
}
