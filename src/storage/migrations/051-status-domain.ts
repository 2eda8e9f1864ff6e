import type { Migration } from "./migration.ts";

/** The host name under which the public status page is shown, in lower case; null: that of the server. */
export const statusDomain: Migration = {
  name: "051-status-domain",
  statements: () => ["ALTER TABLE status_settings ADD COLUMN domain TEXT"],
};
