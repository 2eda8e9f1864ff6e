import type { Migration } from "./migration.ts";

/** What a container's image is to its runtime, what it was made for, and what the container's labels ask of updates, as JSON. */
export const containerImages: Migration = {
  name: "017-container-images",
  statements: () => [
    "ALTER TABLE containers ADD COLUMN image_id TEXT",
    "ALTER TABLE containers ADD COLUMN image_platform TEXT",
    "ALTER TABLE containers ADD COLUMN update_settings TEXT",
  ],
};
