import type { Migration } from "./migration.ts";

/**
 * What changed between two versions, as their source's releases told. Times as in 001. A tag that is not known is empty; `found` is 0 when nothing
 * was told; `etag` is of the first page of releases.
 */
export const changelogs: Migration = {
  name: "021-changelogs",
  statements: () => [
    `CREATE TABLE changelogs (
      source TEXT NOT NULL,
      current_tag TEXT NOT NULL,
      available_tag TEXT NOT NULL,
      changelog TEXT NOT NULL,
      found BIGINT NOT NULL,
      etag TEXT,
      fetched_at BIGINT NOT NULL,
      PRIMARY KEY (source, current_tag, available_tag)
    )`,
    "CREATE INDEX changelogs_by_age ON changelogs (fetched_at)",
  ],
};
