import type { Migration } from "./migration.ts";

/** Certificates that are watched, their checks, and what the checks showed, each once: it mostly stays the same for months. Times as in 001. */
export const certificates: Migration = {
  name: "006-certificates",
  statements: ({ generatedKey }) => [
    `CREATE TABLE certificates (
      id ${generatedKey},
      agent_id TEXT,
      domain TEXT NOT NULL,
      port BIGINT NOT NULL,
      server_name TEXT NOT NULL,
      source TEXT NOT NULL,
      endpoint_id BIGINT,
      container TEXT,
      alerts TEXT NOT NULL,
      alert_thresholds_days TEXT NOT NULL,
      check_interval_ms BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      status TEXT NOT NULL,
      status_since BIGINT NOT NULL,
      message TEXT,
      raised TEXT NOT NULL,
      leaf TEXT,
      last_check_at BIGINT,
      last_error TEXT,
      next_check_at BIGINT NOT NULL
    )`,
    "CREATE UNIQUE INDEX certificates_identity ON certificates (COALESCE(agent_id, ''), domain, port, server_name)",
    "CREATE INDEX certificates_due ON certificates (next_check_at)",
    `CREATE TABLE certificate_facts (
      id ${generatedKey},
      certificate_id BIGINT NOT NULL REFERENCES certificates (id) ON DELETE CASCADE,
      digest TEXT NOT NULL,
      facts TEXT NOT NULL
    )`,
    "CREATE UNIQUE INDEX certificate_facts_once ON certificate_facts (certificate_id, digest)",
    `CREATE TABLE certificate_checks (
      id ${generatedKey},
      certificate_id BIGINT NOT NULL REFERENCES certificates (id) ON DELETE CASCADE,
      facts_id BIGINT REFERENCES certificate_facts (id),
      status TEXT NOT NULL,
      error TEXT,
      checked_at BIGINT NOT NULL
    )`,
    "CREATE INDEX certificate_checks_time ON certificate_checks (certificate_id, checked_at)",
    "CREATE INDEX certificate_checks_age ON certificate_checks (checked_at)",
    "CREATE INDEX certificate_checks_facts ON certificate_checks (facts_id)",
  ],
};
