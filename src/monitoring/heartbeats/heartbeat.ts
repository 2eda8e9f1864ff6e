import type { HeartbeatReason, HeartbeatStatus, PingKind } from "../../events.ts";
import {
  type Schedule,
  type Timetable,
  type EndedRun,
  expireRuns,
  limitOf,
  type Outcome,
  type Run,
  startRun,
  takeRun,
} from "./schedule.ts";
import { countTime, type Day, openTally, type Standing, type Tally, type Gap, moveDeadline } from "./uptime.ts";

/** What is asked of a job. */
export interface Settings {
  name: string;
  tags: readonly string[];
  schedule: Schedule;
  graceSeconds: number;
  /** null: as long as it likes. */
  maxRuntimeSeconds: number | null;
}

/** A job that reports by pings, and how it stands. */
export interface Heartbeat extends Settings {
  uuid: string;
  /** What the program calls it that set it up with others; null for all else. */
  callerKey: string | null;
  agentId: string | null;
  createdAt: Date;
  /** Of the settings. */
  updatedAt: Date;
  status: HeartbeatStatus;
  statusChangedAt: Date;
  /** What is wrong; stays until a success, also while the next run is under way. */
  reason: HeartbeatReason | null;
  failingSince: Date | null;
  lastPingAt: Date | null;
  /** When the next ping is expected, and since when; null while there is nothing to expect. */
  expectedAt: Date | null;
  expectedSince: Date | null;
  /** Expected time and grace; when that is over it is late. */
  deadlineAt: Date | null;
  /** When there is something to judge: the deadline, or the limit of a run. */
  dueAt: Date | null;
  /** Under way, oldest first. */
  runs: readonly Run[];
  lastExitCode: number | null;
  lastDurationMs: number | null;
  /** How the last runs ended, oldest first. */
  recentOutcomes: readonly RecentOutcome[];
  tally: Tally;
}

export type RecentOutcome = Outcome | "missed";

export interface Ping {
  at: Date;
  kind: PingKind;
  /** Of kind `exit_code` alone. */
  exitCode: number | null;
  rid: string | null;
}

/** What a rule knows of time. */
export interface Times {
  expect: Timetable;
  /** When no ping could be taken. Deadlines move by that time, and uptime does not count it. */
  gaps: readonly Gap[];
}

/** What becomes of a heartbeat. */
export interface Change {
  next: Heartbeat;
  /** Runs that are over, begun with a ping before this one. */
  ended: EndedRun[];
  /** Days that are over. */
  past: Day[];
}

/** What a ping makes of a heartbeat; `outcome` is that of the run that only this ping reports. */
export interface PingChange extends Change {
  outcome: Outcome | "running" | null;
}

/** What time makes of a heartbeat: it is late, or runs of it lasted too long. */
export interface DueChange extends Change {
  what: "missed" | "timed_out";
}

const RECENT_OUTCOMES = 20;

export function createHeartbeat(
  settings: Settings,
  { uuid, callerKey = null, now }: { uuid: string; callerKey?: string | null; now: Date },
): Heartbeat {
  return {
    ...settings,
    uuid,
    callerKey,
    agentId: null,
    createdAt: now,
    updatedAt: now,
    status: "new",
    statusChangedAt: now,
    reason: null,
    failingSince: null,
    lastPingAt: null,
    expectedAt: null,
    expectedSince: null,
    deadlineAt: null,
    dueAt: null,
    runs: [],
    lastExitCode: null,
    lastDurationMs: null,
    recentOutcomes: [],
    tally: openTally(now),
  };
}

/** What a ping makes of a heartbeat. While paused it is only noted, and so is one that only logs. Source: contract, section 3. */
export function applyPing(before: Heartbeat, ping: Ping, times: Times): PingChange {
  const { at, kind, rid } = ping;
  const { tally, past } = countTime(before.tally, standingOf(before), at, times.gaps);
  const noted: Heartbeat = { ...before, tally, lastPingAt: latest(before.lastPingAt, at) };
  if (kind === "log") return { next: noted, outcome: null, ended: [], past };
  if (kind === "start") {
    const { runs, givenUp } = startRun(before.runs, rid, at);
    const running = withOutcomes({ ...noted, runs }, givenUp);
    if (before.status === "paused") return { next: running, outcome: "running", ended: givenUp, past };
    const started = withStatus(running, "started", at);
    // A job that starts every time and never ends must not move its deadline for ever.
    const isRetry = before.expectedAt !== null && givenUp.some((run) => run.rid === rid);
    return { next: isRetry ? settle(started, times) : expectFrom(started, at, times), outcome: "running", ended: givenUp, past };
  }
  const succeeded = kind === "success" || ping.exitCode === 0;
  const outcome = succeeded ? "success" : "failure";
  const { runs, taken } = takeRun(before.runs, rid);
  const ended: EndedRun[] = taken === undefined ? [] : [{ ...taken, endedAt: at, outcome, exitCode: ping.exitCode }];
  const completed: Heartbeat = {
    ...withOutcomes({ ...noted, runs }, [{ outcome }]),
    lastExitCode: ping.exitCode,
    lastDurationMs: taken === undefined ? null : Math.max(0, at.getTime() - taken.startedAt.getTime()),
    tally: { ...tally, checks: tally.checks + 1 },
  };
  const next =
    before.status === "paused" ? completed : succeeded ? succeed(completed, at, times) : settle(fail(completed, reasonOf(kind), at), times);
  return { next, outcome: taken === undefined ? outcome : null, ended, past };
}

/** What the passing of time makes of a heartbeat: runs that lasted too long are over, and who should have reported is late. undefined: nothing is due. */
export function applyDeadline(before: Heartbeat, now: Date, times: Times): DueChange | undefined {
  if (before.dueAt === null || before.dueAt > now) return undefined;
  const { tally, past } = countTime(before.tally, standingOf(before), now, times.gaps);
  const { runs, givenUp } = expireRuns(before.runs, {
    maxRuntimeSeconds: before.maxRuntimeSeconds,
    isOver: (run, limit) => moved(limit, run.startedAt, times) <= now.getTime(),
  });
  const judged = withOutcomes({ ...before, tally, runs }, givenUp);
  if (givenUp.length > 0 && before.maxRuntimeSeconds !== null) {
    return { what: "timed_out", next: settle(fail(judged, "timeout", now), times), ended: givenUp, past };
  }
  if (before.deadlineAt !== null && before.deadlineAt <= now) {
    const missed = fail(withOutcomes(judged, [{ outcome: "missed" }]), "deadline", now);
    return { what: "missed", next: settle(missed, times), ended: givenUp, past };
  }
  // That a run is given up says nothing well of what failed before it.
  const resting = judged.reason === null ? restingStatus(before) : "down";
  const status = runs.length === 0 && before.status === "started" ? resting : before.status;
  return { what: "timed_out", next: settle(withStatus(judged, status, now), times), ended: givenUp, past };
}

/** Nothing is judged while paused, and nothing is wrong. */
export function pause(before: Heartbeat, now: Date, times: Times): Change {
  const { tally, past } = countTime(before.tally, standingOf(before), now, times.gaps);
  const idle = { reason: null, failingSince: null, expectedAt: null, expectedSince: null, deadlineAt: null, dueAt: null };
  return { next: withStatus({ ...before, ...idle, tally }, "paused", now), ended: [], past };
}

/** Judged again, from a fresh deadline if it ever ran; runs whose limit is over by now are given up without blame. */
export function resume(before: Heartbeat, now: Date, times: Times): Change {
  const { tally, past } = countTime(before.tally, standingOf(before), now, times.gaps);
  const { runs, givenUp } = expireRuns(before.runs, { maxRuntimeSeconds: before.maxRuntimeSeconds, isOver: (_run, limit) => limit <= now });
  const woken = withOutcomes({ ...before, tally, runs }, givenUp);
  const next = withStatus(woken, runs.length > 0 ? "started" : restingStatus(before), now);
  const hasRun = runs.length > 0 || woken.recentOutcomes.length > 0;
  return { next: hasRun ? expectFrom(next, now, times) : settle(next, times), ended: givenUp, past };
}

/** Other settings; another schedule means a fresh deadline. */
export function edit(before: Heartbeat, settings: Settings, now: Date, times: Times): Change {
  const { tally, past } = countTime(before.tally, standingOf(before), now, times.gaps);
  const next: Heartbeat = { ...before, ...settings, tally, updatedAt: now };
  const isExpected = before.expectedAt !== null && !isSameSchedule(before.schedule, settings.schedule);
  return { next: isExpected ? expectFrom({ ...next, expectedAt: null }, now, times) : settle(next, times), ended: [], past };
}

/** How the time since the last change counts. */
export function standingOf({ status, reason }: Heartbeat): Standing {
  if (status === "paused" || (status === "new" && reason === null)) return "unknown";
  return reason === null ? "up" : "down";
}

/** Derives when there is something to judge. A deadline is never before the end that a run is allowed which began when it was set. */
export function settle<Known extends Heartbeat>(heartbeat: Known, times: Times): Known {
  if (heartbeat.status === "paused") return { ...heartbeat, deadlineAt: null, dueAt: null };
  const { expectedAt, expectedSince, graceSeconds, maxRuntimeSeconds, runs } = heartbeat;
  const limitsOf = (some: readonly Run[]): number[] =>
    some.flatMap((run) => {
      const limit = limitOf(run, maxRuntimeSeconds);
      return limit === null ? [] : [moved(limit, run.startedAt, times)];
    });
  // A run that began after one was given up is allowed no more time than that one.
  const allowed = runs.map((run) => ({
    ...run,
    startedAt: expectedSince !== null && expectedSince < run.startedAt ? expectedSince : run.startedAt,
  }));
  const deadlines =
    expectedAt === null ? [] : [moved(new Date(expectedAt.getTime() + graceSeconds * 1000), expectedSince ?? heartbeat.createdAt, times)];
  const deadlineMs = deadlines.map((deadline) => Math.max(deadline, ...(maxRuntimeSeconds === null ? [] : limitsOf(allowed))));
  return { ...heartbeat, deadlineAt: earliest(deadlineMs), dueAt: earliest([...limitsOf(runs), ...deadlineMs]) };
}

/** When to judge what is due at a time and counts since another. */
function moved(at: Date, since: Date, { gaps }: Times): number {
  return moveDeadline(at.getTime(), since.getTime(), gaps);
}

function succeed(heartbeat: Heartbeat, at: Date, times: Times): Heartbeat {
  const status = heartbeat.runs.length > 0 ? "started" : "up";
  return expectFrom({ ...withStatus(heartbeat, status, at), reason: null, failingSince: null }, at, times);
}

/** Nothing is expected of who is down; its next start or success says that it is expected again. */
function fail(heartbeat: Heartbeat, reason: HeartbeatReason, at: Date): Heartbeat {
  const { tally, failingSince } = heartbeat;
  return {
    ...withStatus(heartbeat, "down", at),
    reason,
    failingSince: failingSince ?? at,
    expectedAt: null,
    expectedSince: null,
    tally: failingSince === null ? { ...tally, incidents: tally.incidents + 1 } : tally,
  };
}

function expectFrom(heartbeat: Heartbeat, at: Date, times: Times): Heartbeat {
  return settle({ ...heartbeat, expectedAt: times.expect(heartbeat.schedule, at, heartbeat.expectedAt), expectedSince: at }, times);
}

function withStatus(heartbeat: Heartbeat, status: HeartbeatStatus, at: Date): Heartbeat {
  return status === heartbeat.status ? heartbeat : { ...heartbeat, status, statusChangedAt: at };
}

/** What it is without a run under way and with nothing wrong: `new` unless the last run is known to have ended well. */
function restingStatus({ recentOutcomes }: Heartbeat): HeartbeatStatus {
  return recentOutcomes.at(-1) === "success" ? "up" : "new";
}

function withOutcomes(heartbeat: Heartbeat, outcomes: readonly { outcome: RecentOutcome }[]): Heartbeat {
  if (outcomes.length === 0) return heartbeat;
  const recentOutcomes = [...heartbeat.recentOutcomes, ...outcomes.map(({ outcome }) => outcome)].slice(-RECENT_OUTCOMES);
  return { ...heartbeat, recentOutcomes };
}

function reasonOf(kind: PingKind): HeartbeatReason {
  return kind === "fail" ? "fail" : "exit_code";
}

function isSameSchedule(a: Schedule, b: Schedule): boolean {
  if (a.kind === "interval") return b.kind === "interval" && a.intervalSeconds === b.intervalSeconds;
  return b.kind === "cron" && a.cron === b.cron && a.timezone === b.timezone;
}

function earliest(timesMs: readonly number[]): Date | null {
  return timesMs.length === 0 ? null : new Date(Math.min(...timesMs));
}

function latest(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}
