import type { Migration } from "./migration.ts";

/**
 * What keeps alerts quiet, and what sends them somewhere. Times, flags, lists and maps as in 001.
 *
 * `told` is the status of which everybody has been told; whoever changes it has claimed the telling.
 */
export const routing: Migration = {
  name: "008-routing",
  statements: ({ generatedKey }) => [
    `CREATE TABLE silences (
      id ${generatedKey},
      reason TEXT NOT NULL,
      starts_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL,
      matchers TEXT NOT NULL,
      created_by TEXT,
      created_at BIGINT NOT NULL,
      cancelled_at BIGINT,
      told TEXT NOT NULL
    )`,
    `CREATE TABLE maintenance_windows (
      id ${generatedKey},
      title TEXT NOT NULL,
      description TEXT NOT NULL,
      starts_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL,
      components TEXT NOT NULL,
      entities TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      told TEXT NOT NULL
    )`,
    `CREATE TABLE alert_triggers (
      id ${generatedKey},
      name TEXT NOT NULL UNIQUE,
      filter_severities TEXT NOT NULL,
      filter_sources TEXT NOT NULL,
      filter_entities TEXT NOT NULL,
      filter_tags TEXT NOT NULL,
      enabled BIGINT NOT NULL,
      notify_on_resolve BIGINT NOT NULL,
      channel_ids TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
  ],
};
