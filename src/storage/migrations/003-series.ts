import type { Migration } from "./migration.ts";

/** Time series of any family: a journal of ticks, and compressed chunks by level, bundle and time. See docs/decisions/007-series.md. */
export const series: Migration = {
  name: "003-series",
  statements: ({ generatedKey, bytes }) => [
    `CREATE TABLE series_journal (
      id ${generatedKey},
      family BIGINT NOT NULL,
      at BIGINT NOT NULL,
      bytes ${bytes} NOT NULL
    )`,
    `CREATE TABLE series_chunks (
      family BIGINT NOT NULL,
      level BIGINT NOT NULL,
      bundle BIGINT NOT NULL,
      start_at BIGINT NOT NULL,
      bytes ${bytes} NOT NULL,
      size BIGINT NOT NULL,
      PRIMARY KEY (family, level, bundle, start_at)
    )`,
    "CREATE INDEX series_chunks_age ON series_chunks (family, level, start_at, size)",
  ],
};
