import type { Migration } from "./migration.ts";

/**
 * Alerts, and what was said of them on their way to the people. Times as in 001.
 *
 * At most one active alert has a key (source, event, entity). `held_by` is what keeps it from being told; `passed_at` when nothing did for the first
 * time; `routed_at` when the first channel was chosen; `told` whether it was told as bad as it is. With `persists` it was resolved by a person while
 * its source still said that it is wrong. `verdicts` is one walk of the path as JSON: stage, verdict and words of each.
 */
export const alerts: Migration = {
  name: "009-alerts",
  statements: ({ generatedKey }) => [
    `CREATE TABLE alerts (
      id ${generatedKey},
      agent_id TEXT,
      source TEXT NOT NULL,
      event TEXT NOT NULL,
      entity_type TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      severity TEXT NOT NULL,
      status TEXT NOT NULL,
      fired_at BIGINT NOT NULL,
      resolved_at BIGINT,
      last_raised_at BIGINT NOT NULL,
      resolved_by TEXT,
      acknowledged_at BIGINT,
      acknowledged_by TEXT,
      acknowledged_note TEXT,
      held_by TEXT,
      passed_at BIGINT,
      routed_at BIGINT,
      told BIGINT NOT NULL,
      walks BIGINT NOT NULL,
      persists BIGINT NOT NULL,
      entity_name TEXT NOT NULL,
      message TEXT NOT NULL,
      cause TEXT,
      parents TEXT NOT NULL,
      labels TEXT NOT NULL,
      channels TEXT NOT NULL,
      tags TEXT NOT NULL,
      details TEXT NOT NULL
    )`,
    "CREATE UNIQUE INDEX alerts_active ON alerts (source, event, entity_type, entity_id) WHERE status = 'active'",
    "CREATE INDEX alerts_held_ends ON alerts (id) WHERE status = 'resolved' AND held_by = 'flapping'",
    "CREATE INDEX alerts_persisting ON alerts (id) WHERE persists = 1",
    // Lists are filtered and counted by an index alone: rows are wide.
    "CREATE INDEX alerts_time ON alerts (fired_at, id, severity, source, status, entity_type, entity_id, agent_id)",
    "CREATE INDEX alerts_entity ON alerts (entity_id, fired_at, id, entity_type, severity, source, status, agent_id)",
    "CREATE INDEX alerts_source ON alerts (source, fired_at, id, severity, status, agent_id)",
    "CREATE INDEX alerts_severity ON alerts (severity, fired_at, id, status, agent_id)",
    "CREATE INDEX alerts_groups ON alerts (source, severity, status, entity_type, agent_id)",
    "CREATE INDEX alerts_resolved ON alerts (resolved_at) WHERE resolved_at IS NOT NULL",
    `CREATE TABLE alert_verdicts (
      alert_id BIGINT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
      walk BIGINT NOT NULL,
      occasion TEXT NOT NULL,
      verdicts TEXT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (alert_id, walk)
    )`,
  ],
};
