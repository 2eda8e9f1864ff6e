import type { Migration } from "./migration.ts";

/** Thresholds of all containers of a group, by its name, or of a host (`agent`), by `local` or the id of its agent; as those of containers in 002. */
export const scopeThresholds: Migration = {
  name: "047-scope-thresholds",
  statements: () => [
    `CREATE TABLE resource_scope_thresholds (
      scope_type TEXT NOT NULL,
      scope_id TEXT NOT NULL,
      cpu_threshold DOUBLE PRECISION,
      memory_threshold DOUBLE PRECISION,
      debounce_seconds BIGINT NOT NULL,
      PRIMARY KEY (scope_type, scope_id)
    )`,
  ],
};
