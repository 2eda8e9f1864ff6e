import type { Migration } from "./migration.ts";

/** Why an alert is over: what ended it, and a sentence. */
export const resolutions: Migration = {
  name: "028-resolutions",
  statements: () => ["ALTER TABLE alerts ADD COLUMN resolution TEXT"],
};
