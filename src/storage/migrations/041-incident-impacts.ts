import type { Migration } from "./migration.ts";

/** What people say in an incident of single components, as JSON: pairs of id and status. Of the others its severity says it. */
export const incidentImpacts: Migration = {
  name: "041-incident-impacts",
  statements: () => ["ALTER TABLE status_incidents ADD COLUMN impacts TEXT NOT NULL DEFAULT '[]'"],
};
