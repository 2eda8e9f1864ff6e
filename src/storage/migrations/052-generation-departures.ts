import type { Migration } from "./migration.ts";

/** When a container that was re-created since was gone from its host. Times as in 001; null: not known, or another took its place before. */
export const generationDepartures: Migration = {
  name: "052-generation-departures",
  statements: () => ["ALTER TABLE container_generations ADD COLUMN archived_at BIGINT"],
};
