import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { hexOf, noise, seedOf } from "../world/noise.ts";
import { type Moments, overlap } from "./past.ts";
import type { Row, Rows } from "./store.ts";

export interface Job {
  name: string;
  tags: readonly string[];
  /** Minutes after midnight (UTC) of a daily job; of others every so many minutes. */
  at: number | null;
  everyMinutes: number;
  runsMs: number;
  /** The share of runs that fail or are missed. */
  failing: number;
  /** It has not reported since its last time. */
  isLate?: boolean;
}

export const JOBS: readonly Job[] = [
  { name: "nightly-backup", tags: ["backup"], at: 3 * 60, everyMinutes: 1440, runsMs: 22 * MINUTE_MS, failing: 0.012 },
  { name: "offsite-copy", tags: ["backup"], at: 4 * 60 + 30, everyMinutes: 1440, runsMs: 41 * MINUTE_MS, failing: 0.02, isLate: true },
  { name: "invoice-run", tags: ["shop"], at: 6 * 60, everyMinutes: 1440, runsMs: 4 * MINUTE_MS, failing: 0.008 },
  { name: "certificate-renewal", tags: [], at: 2 * 60 + 15, everyMinutes: 1440, runsMs: 40_000, failing: 0.004 },
  { name: "search-reindex", tags: ["shop"], at: null, everyMinutes: 60, runsMs: 3 * MINUTE_MS, failing: 0.002 },
  { name: "stock-import", tags: ["shop"], at: null, everyMinutes: 15, runsMs: 25_000, failing: 0.0006 },
];

/** A run of a job: `exitCode` null is one that was missed. */
export interface JobRun {
  /** When it reported, or should have at the latest. */
  atMs: number;
  exitCode: number | null;
  /** When a failure was over; null while it lasts. */
  overMs: number | null;
}

export interface PastHeartbeat {
  id: number;
  name: string;
  job: Job;
  runs: readonly JobRun[];
}

type Ping = Row & { received_at: number };

const GRACE_MS = 30 * MINUTE_MS;
/** Pings are kept for so long. */
const PINGS_KEPT_MS = 29 * DAY_MS;
const LETTERS = { ok: "s", failed: "f", missed: "m" } as const;

export function heartbeatsOf(moments: Moments): PastHeartbeat[] {
  return JOBS.map((job, index) => ({ id: index + 1, name: job.name, job, runs: runsOf(job, moments) }));
}

function runsOf(job: Job, { startMs, nowMs }: Moments): JobRun[] {
  const stepMs = job.everyMinutes * MINUTE_MS;
  const seed = seedOf(job.name);
  const firstMs = Math.ceil(startMs / DAY_MS) * DAY_MS + (job.at ?? 0) * MINUTE_MS;
  const runs: JobRun[] = [];
  for (let step = 0, dueMs = firstMs; dueMs + job.runsMs * 1.15 < nowMs; step += 1, dueMs += stepMs) {
    const drawn = noise(seed, 40, step);
    const endMs = dueMs + Math.round(job.runsMs * (0.85 + 0.3 * noise(seed, 41, step)));
    // Of a frequent job the next run reports before one is missed.
    const isMissed = job.at !== null && drawn <= job.failing / 3;
    const exitCode = drawn > job.failing ? 0 : isMissed ? null : 1;
    if (exitCode === null && dueMs + GRACE_MS > nowMs) break;
    runs.push({ atMs: exitCode === null ? dueMs + GRACE_MS : endMs, exitCode, overMs: null });
  }
  const last = runs.at(-1);
  if (job.isLate === true && last !== undefined) runs.splice(-1, 1, { ...last, exitCode: 2 });
  else if (last !== undefined && last.exitCode !== 0) runs.splice(-1, 1, { ...last, exitCode: 0 });
  // A failure lasts until the next good report; one alert has all of it.
  const whole: JobRun[] = [];
  let failing: JobRun | undefined;
  for (const run of runs) {
    if (run.exitCode === 0) {
      if (failing !== undefined) failing.overMs = run.atMs;
      failing = undefined;
      whole.push(run);
    } else if (failing === undefined) whole.push((failing = run));
  }
  return whole;
}

export function heartbeatRows(heartbeats: readonly PastHeartbeat[], moments: Moments): Rows[] {
  return [
    { table: "heartbeats", rows: heartbeats.map((each) => heartbeatRow(each, moments)) },
    { table: "heartbeat_pings", rows: heartbeats.flatMap((each) => pingRows(each, moments)).toSorted(byTime) },
    { table: "heartbeat_days", rows: heartbeats.flatMap((each) => dayRows(each, moments)) },
  ];
}

function heartbeatRow({ id, name, job, runs }: PastHeartbeat, { startMs, nowMs }: Moments): Row {
  const last = runs.at(-1);
  const lastMs = last?.atMs ?? startMs;
  const isDown = last !== undefined && last.exitCode !== 0;
  const dueMs = (job.at === null ? lastMs : Math.floor(lastMs / DAY_MS) * DAY_MS + job.at * MINUTE_MS) + job.everyMinutes * MINUTE_MS;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const ofToday = runs.filter(({ atMs }) => atMs >= today);
  return {
    id,
    agent_id: null,
    uuid: uuidOf(name),
    name,
    caller_key: null,
    tags: JSON.stringify(job.tags),
    schedule: job.at === null ? "interval" : "cron",
    interval_seconds: job.at === null ? job.everyMinutes * 60 : null,
    cron: job.at === null ? null : `${job.at % 60} ${Math.floor(job.at / 60)} * * *`,
    timezone: "UTC",
    grace_seconds: GRACE_MS / 1000,
    max_runtime_seconds: null,
    status: isDown ? "down" : "up",
    status_changed_at: isDown ? lastMs : (runs.findLast(({ exitCode }) => exitCode !== 0)?.overMs ?? startMs),
    reason: isDown ? "exit_code" : null,
    failing_since: isDown ? lastMs : null,
    last_ping_at: lastMs,
    expected_at: dueMs,
    expected_since: lastMs,
    due_at: dueMs + GRACE_MS + job.runsMs,
    last_exit_code: last?.exitCode ?? null,
    last_duration_ms: job.runsMs,
    recent_outcomes: runs
      .slice(-30)
      .map(({ exitCode }) => (exitCode === 0 ? LETTERS.ok : exitCode === null ? LETTERS.missed : LETTERS.failed))
      .join(""),
    day: today,
    day_counted_until: Math.max(today, nowMs - 1000),
    day_counted_ms: Math.max(0, nowMs - 1000 - today),
    day_down_ms: isDown ? Math.max(0, nowMs - 1000 - Math.max(today, lastMs)) : 0,
    day_checks: ofToday.length,
    day_incidents: ofToday.filter(({ exitCode }) => exitCode !== 0).length,
    created_at: startMs,
    updated_at: startMs,
    deleted_at: null,
  };
}

/** Pings are numbered as they come, whichever heartbeat they are of. */
const byTime = (a: Ping, b: Ping): number => a.received_at - b.received_at;

function pingRows({ id, job, runs }: PastHeartbeat, { nowMs }: Moments): Ping[] {
  return runs.flatMap(({ atMs, exitCode }) => {
    if (exitCode === null || atMs < nowMs - PINGS_KEPT_MS) return [];
    const shared = { heartbeat_id: id, rid: null, source_ip: "10.20.0.14", method: "POST", user_agent: "curl/8.9.1" };
    const isGood = exitCode === 0;
    return [
      {
        ...shared,
        ...{ kind: "start", exit_code: null, body: null, received_at: atMs - job.runsMs },
        ...{ outcome: isGood ? "success" : "failure", ended_at: atMs, run_exit_code: exitCode },
      },
      {
        ...shared,
        ...{ kind: "exit_code", exit_code: exitCode, received_at: atMs, outcome: null, ended_at: null, run_exit_code: null },
        body: isGood ? null : "rsync: connection unexpectedly closed (code 2)",
      },
    ];
  });
}

function dayRows({ id, runs }: PastHeartbeat, { startMs, nowMs }: Moments): Row[] {
  const rows: Row[] = [];
  const failures = runs.filter(({ exitCode }) => exitCode !== 0).map(({ atMs, overMs }) => ({ fromMs: atMs, untilMs: overMs ?? Infinity }));
  const counts = Map.groupBy(runs, ({ atMs }) => Math.floor(atMs / DAY_MS));
  for (let day = Math.ceil(startMs / DAY_MS); (day + 1) * DAY_MS <= nowMs; day += 1) {
    const [fromMs, untilMs] = [day * DAY_MS, (day + 1) * DAY_MS];
    const downMs = overlap(failures, fromMs, untilMs);
    const ofDay = counts.get(day) ?? [];
    rows.push({
      ...{ heartbeat_id: id, day: fromMs, counted_ms: DAY_MS, down_ms: Math.min(DAY_MS, downMs), checks: ofDay.length },
      incidents: ofDay.filter(({ exitCode }) => exitCode !== 0).length,
    });
  }
  return rows;
}

/** By which a job reports. */
export function uuidOf(name: string): string {
  const hex = hexOf(`heartbeat ${name}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
