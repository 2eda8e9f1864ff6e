import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/001-containers.ts for their meaning. */
export interface ContainerTables {
  containers: ContainerRow;
  transitions: TransitionRow;
  watched_spans: { id: Generated<number>; agent_id: string | null; started_at: number; ended_at: number };
}

export interface ContainerRow {
  id: Generated<number>;
  agent_id: string | null;
  external_id: string;
  name: string;
  image: string;
  image_digest: string | null;
  image_id: string | null;
  image_platform: string | null;
  /** null in rows of before 017. */
  update_settings: string | null;
  state: string;
  health: string | null;
  exit_code: number | null;
  oom_killed: number;
  error_detail: string | null;
  stop_requested: number;
  group_name: string;
  group_source: string;
  unit: string | null;
  is_ignored: number;
  restart_count: number;
  restart_threshold: number;
  restarts: string;
  loop_severity: string | null;
  loop_since: number | null;
  alert_severity: string;
  alert_channels: string;
  alert_tags: string;
  label_errors: string;
  ports: string;
  network_mode: string | null;
  privileged: number;
  labels: string;
  runtime: string;
  created_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  first_seen_at: number;
  last_observed_at: number;
  last_state_change_at: number;
  archived_at: number | null;
}

export interface TransitionRow {
  id: Generated<number>;
  container_id: number;
  previous_state: string | null;
  new_state: string;
  previous_health: string | null;
  new_health: string | null;
  exit_code: number | null;
  oom_killed: number;
  log_snippet: string | null;
  replayed: number;
  occurred_at: number;
}
