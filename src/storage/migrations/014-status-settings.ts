import type { Migration } from "./migration.ts";

/**
 * How the public status page looks: one row, whose id is 1. Times as in 001; flags are 0 and 1. `feed_id` is made once and part of every id in the Atom
 * feed. `logo_type` is what the bytes of `logo` are, not what was said of them.
 */
export const statusSettings: Migration = {
  name: "014-status-settings",
  statements: ({ bytes }) => [
    `CREATE TABLE status_settings (
      id BIGINT PRIMARY KEY,
      feed_id TEXT NOT NULL,
      title TEXT NOT NULL,
      description TEXT NOT NULL,
      accent TEXT NOT NULL,
      logo ${bytes},
      logo_type TEXT,
      homepage_url TEXT,
      support_url TEXT,
      published BIGINT NOT NULL,
      show_uptime BIGINT NOT NULL,
      updated_at BIGINT
    )`,
  ],
};
