import type { Migration } from "./migration.ts";

/**
 * Who is told when nobody reacts to an alert. Times as in 001; flags are 0 and 1.
 *
 * `active_before` is what `active` was when the edition ceased to grant escalation, null while it grants it. A run keeps the plan of its policy, and stays when
 * the policy is gone. `next_at` is when its next level is due, or after the last one the end; while it is paused, as it was. `due_at` is when it must be looked at
 * by itself: then, or when the maintenance that pauses it ends. `version` rises with each change: whoever raises it has claimed the change.
 * `delivery_id` is the row of `deliveries` that tells the channel; null when nothing could be told.
 */
export const escalation: Migration = {
  name: "011-escalation",
  statements: ({ generatedKey }) => [
    `CREATE TABLE escalation_policies (
      id ${generatedKey},
      name TEXT NOT NULL,
      active BIGINT NOT NULL,
      active_before BIGINT,
      filters TEXT NOT NULL,
      levels TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    `CREATE TABLE escalation_runs (
      id ${generatedKey},
      alert_id BIGINT NOT NULL,
      policy_id BIGINT NOT NULL,
      plan TEXT NOT NULL,
      status TEXT NOT NULL,
      level_index BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      paused_at BIGINT,
      paused_until BIGINT,
      paused_ms BIGINT NOT NULL,
      next_at BIGINT,
      due_at BIGINT,
      ended_at BIGINT,
      version BIGINT NOT NULL,
      UNIQUE (alert_id, policy_id)
    )`,
    "CREATE INDEX escalation_runs_due ON escalation_runs (due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX escalation_runs_live ON escalation_runs (id) WHERE ended_at IS NULL",
    "CREATE INDEX escalation_runs_ended ON escalation_runs (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX escalation_runs_policy ON escalation_runs (policy_id, id)",
    `CREATE TABLE escalation_deliveries (
      id ${generatedKey},
      run_id BIGINT NOT NULL REFERENCES escalation_runs (id) ON DELETE CASCADE,
      delivery_id BIGINT UNIQUE,
      channel_id BIGINT NOT NULL,
      level_index BIGINT NOT NULL,
      kind TEXT NOT NULL,
      event TEXT NOT NULL,
      status TEXT NOT NULL,
      error TEXT,
      created_at BIGINT NOT NULL,
      settled_at BIGINT
    )`,
    "CREATE INDEX escalation_deliveries_run ON escalation_deliveries (run_id, id)",
    "CREATE INDEX escalation_deliveries_pending ON escalation_deliveries (id) WHERE status = 'pending'",
  ],
};
