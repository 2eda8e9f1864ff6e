import { wireTime } from "../../contract/time.ts";
import type { ExecutionRecord, HeartbeatRecord, PingRecord } from "./answers.ts";
import type { SavedHeartbeat } from "./changes.ts";
import type { SavedPing } from "./rows.ts";

/** A heartbeat as it goes over the wire. */
export function heartbeatRecord(heartbeat: SavedHeartbeat, baseUrl: string): HeartbeatRecord {
  const { schedule, runs } = heartbeat;
  return {
    id: heartbeat.id,
    agent_id: heartbeat.agentId,
    uuid: heartbeat.uuid,
    name: heartbeat.name,
    key: heartbeat.callerKey,
    tags: [...heartbeat.tags],
    schedule: schedule.kind,
    interval_seconds: schedule.kind === "interval" ? schedule.intervalSeconds : null,
    cron: schedule.kind === "cron" ? schedule.cron : null,
    timezone: schedule.timezone,
    grace_seconds: heartbeat.graceSeconds,
    max_runtime_seconds: heartbeat.maxRuntimeSeconds,
    status: heartbeat.status,
    status_changed_at: heartbeat.statusChangedAt.toISOString(),
    reason: heartbeat.reason,
    failing_since: wireTime(heartbeat.failingSince),
    last_ping_at: wireTime(heartbeat.lastPingAt),
    next_expected_at: wireTime(heartbeat.expectedAt),
    next_deadline_at: wireTime(heartbeat.deadlineAt),
    current_run_started_at: wireTime(runs[0]?.startedAt ?? null),
    open_runs: runs.length,
    last_exit_code: heartbeat.lastExitCode,
    last_duration_ms: heartbeat.lastDurationMs,
    recent_outcomes: [...heartbeat.recentOutcomes],
    ping_url: pingUrl(heartbeat.uuid, baseUrl),
    created_at: heartbeat.createdAt.toISOString(),
    updated_at: heartbeat.updatedAt.toISOString(),
  };
}

export function pingUrl(uuid: string, baseUrl: string): string {
  return `${baseUrl}/ping/${uuid}`;
}

export function pingRecord(ping: SavedPing): PingRecord {
  return {
    id: ping.id,
    kind: ping.kind,
    exit_code: ping.exitCode,
    rid: ping.rid,
    source_ip: ping.sourceIp,
    method: ping.method,
    user_agent: ping.userAgent,
    body: ping.body,
    timestamp: ping.at.toISOString(),
  };
}

/** The execution that a ping began, or is the only report of. */
export function executionRecord({ id, kind, at, endedAt, rid, runExitCode, outcome }: SavedPing): ExecutionRecord {
  const startedAt = kind === "start" ? at : null;
  return {
    id,
    started_at: wireTime(startedAt),
    ended_at: wireTime(endedAt),
    duration_ms: startedAt === null || endedAt === null ? null : Math.max(0, endedAt.getTime() - startedAt.getTime()),
    exit_code: runExitCode,
    outcome: outcome ?? "running",
    rid,
  };
}
