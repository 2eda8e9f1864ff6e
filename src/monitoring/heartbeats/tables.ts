import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/005-heartbeats.ts, 029-ping-gaps.ts and 037-caller-keys.ts for their meaning. */
export interface HeartbeatTables {
  heartbeats: HeartbeatRow;
  heartbeat_pings: PingRow;
  heartbeat_days: DayRow;
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
