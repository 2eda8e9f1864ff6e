import type { Migration } from "./migration.ts";

/**
 * What the status page shows. Times as in 001; flags are 0 and 1.
 *
 * `monitor_name` and `agent_id` are those of the monitor when it was last seen, by which one that is made anew is found; `monitor_status` is what it said
 * last, `status` what the page says; `agent_id` is empty when it went with its host. `status_days` is the account of a component's time:
 * milliseconds of each status of one UTC day, which begins at `day`; time that is in none of them is unknown.
 */
export const statusComponents: Migration = {
  name: "012-status-components",
  statements: ({ generatedKey }) => [
    `CREATE TABLE status_groups (
      id ${generatedKey},
      name TEXT NOT NULL UNIQUE,
      sort_order BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    `CREATE TABLE status_components (
      id ${generatedKey},
      group_id BIGINT REFERENCES status_groups (id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      monitor_type TEXT NOT NULL,
      monitor_id BIGINT NOT NULL,
      monitor_name TEXT NOT NULL,
      agent_id TEXT,
      sort_order BIGINT NOT NULL,
      visible BIGINT NOT NULL,
      auto_incident BIGINT NOT NULL,
      needs_attention BIGINT NOT NULL,
      status TEXT NOT NULL,
      status_since BIGINT NOT NULL,
      status_override TEXT,
      monitor_status TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    `CREATE TABLE status_days (
      component_id BIGINT NOT NULL REFERENCES status_components (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      operational_ms BIGINT NOT NULL,
      degraded_ms BIGINT NOT NULL,
      maintenance_ms BIGINT NOT NULL,
      partial_outage_ms BIGINT NOT NULL,
      major_outage_ms BIGINT NOT NULL,
      PRIMARY KEY (component_id, day)
    )`,
    "CREATE INDEX status_days_day ON status_days (day)",
  ],
};
