import type { Migration } from "./migration.ts";

/** Series that are deleted and still take space. None of them is read any more; each goes from here once its space is free. */
export const seriesRemovals: Migration = {
  name: "036-series-removals",
  statements: () => [
    `CREATE TABLE series_removals (
      family BIGINT NOT NULL,
      series BIGINT NOT NULL,
      PRIMARY KEY (family, series)
    )`,
  ],
};
