import type { Migration } from "./migration.ts";

/**
 * Endpoints with how they are doing, their checks, and what a day of them came to. Checks are first a row of the journal for many endpoints, then a chunk
 * for one: see docs/decisions/009-checks.md. Times as in 001; days are counted since 1970.
 */
export const endpoints: Migration = {
  name: "004-endpoints",
  statements: ({ generatedKey, bytes }) => [
    `CREATE TABLE endpoints (
      id ${generatedKey},
      agent_id TEXT,
      container_external_id TEXT,
      container_id BIGINT,
      container_name TEXT,
      label_key TEXT,
      name TEXT NOT NULL,
      checked TEXT NOT NULL,
      alerts TEXT NOT NULL,
      paused BIGINT NOT NULL,
      inactive_since BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      status TEXT NOT NULL,
      status_since BIGINT NOT NULL,
      alerting BIGINT NOT NULL,
      failing_since BIGINT,
      consecutive_failures BIGINT NOT NULL,
      consecutive_successes BIGINT NOT NULL,
      last_check_at BIGINT,
      last_response_time_ms DOUBLE PRECISION,
      last_http_status BIGINT,
      last_error TEXT,
      last_failure_class TEXT,
      certificate_trusted BIGINT,
      certificate_expires_at BIGINT,
      tally TEXT NOT NULL,
      counted_id BIGINT NOT NULL,
      sealed_id BIGINT NOT NULL
    )`,
    `CREATE UNIQUE INDEX endpoints_identity ON endpoints (COALESCE(agent_id, ''), container_external_id, label_key)
      WHERE label_key IS NOT NULL`,
    `CREATE TABLE endpoint_journal (
      id ${generatedKey},
      at BIGINT NOT NULL,
      bytes ${bytes} NOT NULL,
      errors TEXT
    )`,
    `CREATE TABLE endpoint_chunks (
      id ${generatedKey},
      endpoint_id BIGINT NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
      start_at BIGINT NOT NULL,
      end_at BIGINT NOT NULL,
      checks BIGINT NOT NULL,
      bytes ${bytes} NOT NULL,
      errors TEXT
    )`,
    "CREATE INDEX endpoint_chunks_time ON endpoint_chunks (endpoint_id, start_at)",
    `CREATE TABLE endpoint_days (
      endpoint_id BIGINT NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      checks BIGINT NOT NULL,
      failures BIGINT NOT NULL,
      up_ms BIGINT NOT NULL,
      down_ms BIGINT NOT NULL,
      incidents BIGINT NOT NULL,
      PRIMARY KEY (endpoint_id, day)
    )`,
  ],
};
