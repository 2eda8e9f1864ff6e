import type { Migration } from "./migration.ts";

/** When the monitors of the status page were last observed, and whether that was lately. Times as in 001; null: saved before it was recorded. */
export const statusObserved: Migration = {
  name: "032-status-observed",
  statements: () => [
    "ALTER TABLE status_components ADD COLUMN observed BIGINT NOT NULL DEFAULT 1",
    "ALTER TABLE status_components ADD COLUMN last_observed_at BIGINT",
  ],
};
