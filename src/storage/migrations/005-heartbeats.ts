import type { Migration } from "./migration.ts";

/**
 * Jobs that report by pings. Times as in 001.
 *
 * `due_at` is when there is something to judge; whoever changes it has claimed the judgment. An execution is the ping that began it, or the one that
 * tells of it alone: `outcome` is null for pings that are none, and `ended_at` and `run_exit_code` are the execution's. `day_*` is what is counted of
 * the day under way; days that are over are rows of `heartbeat_days`. A heartbeat with `deleted_at` is gone and waits for its rows to be.
 */
export const heartbeats: Migration = {
  name: "005-heartbeats",
  statements: ({ generatedKey }) => [
    `CREATE TABLE heartbeats (
      id ${generatedKey},
      agent_id TEXT,
      uuid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      tags TEXT NOT NULL,
      schedule TEXT NOT NULL,
      interval_seconds BIGINT,
      cron TEXT,
      timezone TEXT NOT NULL,
      grace_seconds BIGINT NOT NULL,
      max_runtime_seconds BIGINT,
      status TEXT NOT NULL,
      status_changed_at BIGINT NOT NULL,
      reason TEXT,
      failing_since BIGINT,
      last_ping_at BIGINT,
      expected_at BIGINT,
      expected_since BIGINT,
      due_at BIGINT,
      last_exit_code BIGINT,
      last_duration_ms BIGINT,
      recent_outcomes TEXT NOT NULL,
      day BIGINT NOT NULL,
      day_counted_until BIGINT NOT NULL,
      day_counted_ms BIGINT NOT NULL,
      day_down_ms BIGINT NOT NULL,
      day_checks BIGINT NOT NULL,
      day_incidents BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      deleted_at BIGINT
    )`,
    "CREATE INDEX heartbeats_due ON heartbeats (due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX heartbeats_deleted ON heartbeats (id) WHERE deleted_at IS NOT NULL",
    `CREATE TABLE heartbeat_pings (
      id ${generatedKey},
      heartbeat_id BIGINT NOT NULL REFERENCES heartbeats (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      exit_code BIGINT,
      rid TEXT,
      source_ip TEXT NOT NULL,
      method TEXT NOT NULL,
      user_agent TEXT,
      body TEXT,
      received_at BIGINT NOT NULL,
      outcome TEXT,
      ended_at BIGINT,
      run_exit_code BIGINT
    )`,
    "CREATE INDEX heartbeat_pings_order ON heartbeat_pings (heartbeat_id, id)",
    "CREATE INDEX heartbeat_pings_running ON heartbeat_pings (heartbeat_id) WHERE outcome = 'running'",
    `CREATE TABLE heartbeat_days (
      heartbeat_id BIGINT NOT NULL REFERENCES heartbeats (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      counted_ms BIGINT NOT NULL,
      down_ms BIGINT NOT NULL,
      checks BIGINT NOT NULL,
      incidents BIGINT NOT NULL,
      PRIMARY KEY (heartbeat_id, day)
    )`,
    "CREATE INDEX heartbeat_days_age ON heartbeat_days (day)",
  ],
};
