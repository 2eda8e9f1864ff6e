import type { Migration } from "./migration.ts";

/**
 * Which image runs under a name of a host, and how it does beside the one before. Times as in 001; `host` is `local` or an agent's UUID.
 *
 * A run is what one image did under a name, by however many containers: `container_ids`, the last of them `container_id`. A comparison is due until
 * its last look; `look` is the place of the next one.
 */
export const updateComparisons: Migration = {
  name: "022-update-comparisons",
  statements: ({ generatedKey }) => [
    `CREATE TABLE image_runs (
      host TEXT NOT NULL,
      name TEXT NOT NULL,
      container_id BIGINT NOT NULL,
      container_ids TEXT NOT NULL,
      image TEXT NOT NULL,
      image_digest TEXT,
      image_id TEXT,
      since BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      gone_at BIGINT,
      comparison_id BIGINT,
      PRIMARY KEY (host, name)
    )`,
    `CREATE TABLE update_comparisons (
      id ${generatedKey},
      host TEXT NOT NULL,
      name TEXT NOT NULL,
      before_ids TEXT NOT NULL,
      before_image TEXT NOT NULL,
      before_digest TEXT,
      before_since BIGINT NOT NULL,
      before_until BIGINT NOT NULL,
      before_cpus DOUBLE PRECISION,
      image TEXT NOT NULL,
      image_digest TEXT,
      changed_at BIGINT NOT NULL,
      look BIGINT NOT NULL,
      due_at BIGINT,
      compared_at BIGINT,
      window_ms BIGINT NOT NULL,
      verdict TEXT NOT NULL,
      figures TEXT,
      changes TEXT NOT NULL,
      alerting BIGINT NOT NULL
    )`,
    "CREATE INDEX update_comparisons_due ON update_comparisons (due_at)",
    "CREATE INDEX update_comparisons_by_age ON update_comparisons (changed_at)",
  ],
};
