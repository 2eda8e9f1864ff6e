import type { Migration } from "./migration.ts";

/**
 * Records of the vulnerability database that were asked for, so that they are asked for once. Times as in 001.
 *
 * `modified` is the database's own mark of the record's version; empty when it had no record of this id. `record` is compressed JSON of what is
 * needed of it; null when it had none. Rows go when nobody used them for long, or when there are too many.
 */
export const vulnerabilities: Migration = {
  name: "020-vulnerabilities",
  statements: ({ bytes }) => [
    `CREATE TABLE osv_records (
      id TEXT PRIMARY KEY,
      modified TEXT NOT NULL,
      record ${bytes},
      fetched_at BIGINT NOT NULL,
      used_at BIGINT NOT NULL
    )`,
    "CREATE INDEX osv_records_used ON osv_records (used_at)",
  ],
};
