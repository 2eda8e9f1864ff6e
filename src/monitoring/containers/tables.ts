import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/001-containers.ts for their meaning. */
export interface ContainerTables {
  containers: ContainerRow;
  container_generations: GenerationRow;
  /** What the migration joined, until that was logged. */
  container_joins: { container_id: number; into_id: number; name: string };
  transitions: TransitionRow;
  watched_spans: { id: Generated<number>; agent_id: string | null; started_at: number; ended_at: number };
}

export interface ContainerRow {
  id: Generated<number>;
  agent_id: string | null;
  external_id: string;
  identity: string;
  /** Only ever counted up, one at a time. */
  generation: Generated<number>;
  recreated_at: number | null;
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
  /** 0: never alerted; null: after the time that the program has. */
  down_after_ms: number | null;
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
  removed_at: number | null;
}

/** A container that was re-created since. */
export interface GenerationRow {
  container_id: number;
  agent_id: string | null;
  external_id: string;
  image: string;
  image_digest: string | null;
  created_at: number | null;
  started_at: number | null;
  ended_at: number;
  end_reason: string;
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
  stop_requested: number;
  log_snippet: string | null;
  /** JSON of a {@link HealthFailure}. */
  health_failure: string | null;
  replayed: number;
  occurred_at: number;
}
