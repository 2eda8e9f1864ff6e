import type { Insertable, Selectable, Generated } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { HeartbeatReason, HeartbeatStatus, PingKind } from "../../events.ts";
import type { SavedHeartbeat } from "./changes.ts";
import { type Heartbeat, type Ping, type RecentOutcome, settle, type Settings, type Times } from "./heartbeat.ts";
import type { Schedule, Outcome, Run } from "./schedule.ts";
import type { Day } from "./uptime.ts";

/** The columns of this feature's tables; see storage/migrations/005-heartbeats.ts, 029-ping-gaps.ts, 037-caller-keys.ts and 050-pauses.ts for their meaning. */
export interface HeartbeatTables {
  heartbeats: HeartbeatRow;
  heartbeat_pings: PingRow;
  heartbeat_days: DayRow;
  heartbeat_pauses: { id: Generated<number>; heartbeat_id: number; paused_at: number; resumed_at: number | null };
  ping_gaps: { id: Generated<number>; from_at: number; until_at: number | null };
}

export interface HeartbeatRow extends SettingsColumns, StateColumns {
  id: Generated<number>;
  agent_id: string | null;
  uuid: string;
  caller_key: string | null;
  created_at: number;
  deleted_at: number | null;
}

export interface SettingsColumns {
  name: string;
  tags: string;
  schedule: string;
  interval_seconds: number | null;
  cron: string | null;
  timezone: string;
  grace_seconds: number;
  max_runtime_seconds: number | null;
  updated_at: number;
}

export interface StateColumns {
  status: string;
  status_changed_at: number;
  reason: string | null;
  failing_since: number | null;
  last_ping_at: number | null;
  expected_at: number | null;
  expected_since: number | null;
  due_at: number | null;
  last_exit_code: number | null;
  last_duration_ms: number | null;
  recent_outcomes: string;
  day: number;
  day_counted_until: number;
  day_counted_ms: number;
  day_down_ms: number;
  day_checks: number;
  day_incidents: number;
}

export const SETTINGS_TYPES: Readonly<Record<keyof SettingsColumns, "TEXT" | "BIGINT" | "DOUBLE PRECISION">> = {
  name: "TEXT",
  tags: "TEXT",
  schedule: "TEXT",
  interval_seconds: "BIGINT",
  cron: "TEXT",
  timezone: "TEXT",
  grace_seconds: "BIGINT",
  max_runtime_seconds: "BIGINT",
  updated_at: "BIGINT",
};

export const STATE_TYPES: Readonly<Record<keyof StateColumns, "TEXT" | "BIGINT" | "DOUBLE PRECISION">> = {
  status: "TEXT",
  status_changed_at: "BIGINT",
  reason: "TEXT",
  failing_since: "BIGINT",
  last_ping_at: "BIGINT",
  expected_at: "BIGINT",
  expected_since: "BIGINT",
  due_at: "BIGINT",
  last_exit_code: "BIGINT",
  last_duration_ms: "BIGINT",
  recent_outcomes: "TEXT",
  day: "BIGINT",
  day_counted_until: "BIGINT",
  day_counted_ms: "BIGINT",
  day_down_ms: "BIGINT",
  day_checks: "BIGINT",
  day_incidents: "BIGINT",
};

export interface PingRow {
  id: Generated<number>;
  heartbeat_id: number;
  kind: string;
  exit_code: number | null;
  rid: string | null;
  source_ip: string;
  method: string;
  user_agent: string | null;
  body: string | null;
  received_at: number;
  outcome: string | null;
  ended_at: number | null;
  run_exit_code: number | null;
}

export interface DayRow {
  heartbeat_id: number;
  day: number;
  counted_ms: number;
  down_ms: number;
  checks: number;
  incidents: number;
}

/** Where a ping came from, and what it brought. */
export interface PingOrigin {
  sourceIp: string;
  method: string;
  userAgent: string | null;
  body: string | null;
}

/** A ping as it is kept; `outcome` is that of the run it began or is the only report of. */
export interface KeptPing extends Ping, PingOrigin {
  outcome: Outcome | "running" | null;
}

export interface SavedPing extends KeptPing {
  id: number;
  endedAt: Date | null;
  runExitCode: number | null;
}

/** A heartbeat as a row has it; when it is due depends on when no ping could be taken. */
export function heartbeatFromRow(row: Selectable<HeartbeatRow>, runs: readonly Run[], times: Times): SavedHeartbeat {
  const heartbeat: SavedHeartbeat = {
    id: row.id,
    uuid: row.uuid,
    callerKey: row.caller_key,
    agentId: row.agent_id,
    name: row.name,
    tags: JSON.parse(row.tags) as string[],
    schedule: scheduleFromRow(row),
    graceSeconds: row.grace_seconds,
    maxRuntimeSeconds: row.max_runtime_seconds,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    // These columns hold what stateToRow wrote, which is of these types.
    status: row.status as HeartbeatStatus,
    statusChangedAt: new Date(row.status_changed_at),
    reason: row.reason as HeartbeatReason | null,
    failingSince: toDate(row.failing_since),
    lastPingAt: toDate(row.last_ping_at),
    expectedAt: toDate(row.expected_at),
    expectedSince: toDate(row.expected_since),
    deadlineAt: null,
    dueAt: null,
    runs,
    lastExitCode: row.last_exit_code,
    lastDurationMs: row.last_duration_ms,
    recentOutcomes: [...row.recent_outcomes].map((letter) => OUTCOME_OF[letter] ?? "success"),
    tally: {
      startMs: row.day,
      countedUntilMs: row.day_counted_until,
      countedMs: row.day_counted_ms,
      downMs: row.day_down_ms,
      checks: row.day_checks,
      incidents: row.day_incidents,
    },
  };
  return settle(heartbeat, times);
}

export function settingsToRow({
  name,
  tags,
  schedule,
  graceSeconds,
  maxRuntimeSeconds,
  updatedAt,
}: Settings & { updatedAt: Date }): SettingsColumns {
  return {
    name,
    tags: JSON.stringify(tags),
    schedule: schedule.kind,
    interval_seconds: schedule.kind === "interval" ? schedule.intervalSeconds : null,
    cron: schedule.kind === "cron" ? schedule.cron : null,
    timezone: schedule.timezone,
    grace_seconds: graceSeconds,
    max_runtime_seconds: maxRuntimeSeconds,
    updated_at: updatedAt.getTime(),
  };
}

export function stateToRow(heartbeat: Heartbeat): StateColumns {
  const { tally } = heartbeat;
  return {
    status: heartbeat.status,
    status_changed_at: heartbeat.statusChangedAt.getTime(),
    reason: heartbeat.reason,
    failing_since: heartbeat.failingSince?.getTime() ?? null,
    last_ping_at: heartbeat.lastPingAt?.getTime() ?? null,
    expected_at: heartbeat.expectedAt?.getTime() ?? null,
    expected_since: heartbeat.expectedSince?.getTime() ?? null,
    due_at: heartbeat.dueAt?.getTime() ?? null,
    last_exit_code: heartbeat.lastExitCode,
    last_duration_ms: heartbeat.lastDurationMs,
    recent_outcomes: heartbeat.recentOutcomes.map((outcome) => outcome[0]).join(""),
    day: tally.startMs,
    day_counted_until: tally.countedUntilMs,
    day_counted_ms: tally.countedMs,
    day_down_ms: tally.downMs,
    day_checks: tally.checks,
    day_incidents: tally.incidents,
  };
}

export function pingToRow(heartbeatId: number, ping: KeptPing): Insertable<PingRow> {
  const isEnd = ping.outcome !== null && ping.outcome !== "running";
  return {
    heartbeat_id: heartbeatId,
    kind: ping.kind,
    exit_code: ping.exitCode,
    rid: ping.rid,
    source_ip: ping.sourceIp,
    method: ping.method,
    user_agent: ping.userAgent,
    body: ping.body,
    received_at: ping.at.getTime(),
    outcome: ping.outcome,
    ended_at: isEnd ? ping.at.getTime() : null,
    run_exit_code: isEnd ? ping.exitCode : null,
  };
}

export function pingFromRow(row: Selectable<PingRow>): SavedPing {
  return {
    id: row.id,
    at: new Date(row.received_at),
    kind: row.kind as PingKind,
    exitCode: row.exit_code,
    rid: row.rid,
    sourceIp: row.source_ip,
    method: row.method,
    userAgent: row.user_agent,
    body: row.body,
    outcome: row.outcome as SavedPing["outcome"],
    endedAt: toDate(row.ended_at),
    runExitCode: row.run_exit_code,
  };
}

export function dayToRow(heartbeatId: number, { startMs, countedMs, downMs, checks, incidents }: Day): DayRow {
  return { heartbeat_id: heartbeatId, day: startMs, counted_ms: countedMs, down_ms: downMs, checks, incidents };
}

export function dayFromRow({ day, counted_ms, down_ms, checks, incidents }: Selectable<DayRow>): Day {
  return { startMs: day, countedMs: counted_ms, downMs: down_ms, checks, incidents };
}

/** Outcomes are kept as their first letters. */
const OUTCOME_OF: Readonly<Record<string, RecentOutcome>> = { s: "success", f: "failure", t: "timeout", m: "missed" };

function scheduleFromRow(row: Selectable<SettingsColumns>): Schedule {
  if (row.schedule === "cron") return { kind: "cron", cron: row.cron ?? "", timezone: row.timezone };
  return { kind: "interval", intervalSeconds: row.interval_seconds ?? 0, timezone: row.timezone };
}
