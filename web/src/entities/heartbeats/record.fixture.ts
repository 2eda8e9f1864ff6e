import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";

/** A heartbeat that is well, at 12:00, changed by `changes`. */
export function heartbeatRecord(changes: Partial<HeartbeatRecord> = {}): HeartbeatRecord {
  return {
    id: 1,
    agent_id: null,
    uuid: "294c7dd2-38de-479c-9823-4ef2a1d7b1c0",
    key: null,
    name: "nightly-backup",
    tags: [],
    schedule: "interval",
    interval_seconds: 300,
    cron: null,
    timezone: "UTC",
    grace_seconds: 60,
    max_runtime_seconds: null,
    status: "up",
    status_changed_at: "2026-03-01T11:00:00.000Z",
    reason: null,
    failing_since: null,
    last_ping_at: "2026-03-01T11:58:00.000Z",
    next_expected_at: "2026-03-01T12:03:00.000Z",
    next_deadline_at: "2026-03-01T12:04:00.000Z",
    current_run_started_at: null,
    open_runs: 0,
    last_exit_code: null,
    last_duration_ms: 4200,
    recent_outcomes: ["success", "success"],
    ping_url: "http://127.0.0.1:8080/ping/294c7dd2-38de-479c-9823-4ef2a1d7b1c0",
    created_at: "2026-03-01T10:00:00.000Z",
    updated_at: "2026-03-01T10:00:00.000Z",
    ...changes,
  };
}
