import type { Migration } from "./migration.ts";

/** How long a container may be down before that is alerted, where its labels say so. */
export const containerDown: Migration = {
  name: "027-container-down",
  statements: () => ["ALTER TABLE containers ADD COLUMN down_after_ms BIGINT"],
};
