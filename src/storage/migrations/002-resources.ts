import type { Migration } from "./migration.ts";

/** What somebody wants to hear of a container's usage, and when it was so. Percent; times as in 001. */
export const resources: Migration = {
  name: "002-resources",
  statements: ({ generatedKey }) => [
    `CREATE TABLE resource_thresholds (
      container_id BIGINT PRIMARY KEY REFERENCES containers (id) ON DELETE CASCADE,
      cpu_threshold DOUBLE PRECISION,
      memory_threshold DOUBLE PRECISION,
      debounce_seconds BIGINT NOT NULL
    )`,
    `CREATE TABLE resource_breaches (
      id ${generatedKey},
      container_id BIGINT NOT NULL REFERENCES containers (id) ON DELETE CASCADE,
      metric TEXT NOT NULL,
      threshold DOUBLE PRECISION NOT NULL,
      peak DOUBLE PRECISION NOT NULL,
      fired_at BIGINT NOT NULL,
      resolved_at BIGINT
    )`,
    "CREATE UNIQUE INDEX resource_breaches_open ON resource_breaches (container_id, metric) WHERE resolved_at IS NULL",
    "CREATE INDEX resource_breaches_time ON resource_breaches (container_id, fired_at)",
    "CREATE INDEX resource_breaches_age ON resource_breaches (resolved_at)",
  ],
};
