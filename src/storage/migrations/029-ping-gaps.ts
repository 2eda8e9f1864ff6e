import type { Migration } from "./migration.ts";

/**
 * Times in which no ping could be taken: deadlines move by them. Times as in 001.
 *
 * The row without `until_at` is the gap that begins if nothing more is heard of the program: its `from_at` is when the program last said that it runs.
 * A database of an earlier program has no such row, so the latest time at which that program is known to have run stands for it.
 */
export const pingGaps: Migration = {
  name: "029-ping-gaps",
  statements: ({ generatedKey }) => [
    `CREATE TABLE ping_gaps (
      id ${generatedKey},
      from_at BIGINT NOT NULL,
      until_at BIGINT
    )`,
    `INSERT INTO ping_gaps (from_at, until_at)
      SELECT MAX(at), NULL FROM (
        SELECT last_ping_at AS at FROM heartbeats
        UNION ALL SELECT ended_at AS at FROM watched_spans WHERE agent_id IS NULL
      ) AS known HAVING MAX(at) IS NOT NULL`,
  ],
};
