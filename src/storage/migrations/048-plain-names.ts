import type { Migration } from "./migration.ts";

/** Tables that this renames. */
export const RENAMED_TABLES: Readonly<Record<string, string>> = { status_works_told: "status_works_announced" };

/**
 * Columns and a table get the names of the glossary: who was notified of an alert or an update of an incident, what was published of a silence or a
 * maintenance window, when a notice was sent and planned work announced. What is kept in them is as before.
 */
export const plainNames: Migration = {
  name: "048-plain-names",
  statements: () => [
    "ALTER TABLE alerts RENAME COLUMN told TO notified",
    "ALTER TABLE silences RENAME COLUMN told TO published",
    "ALTER TABLE maintenance_windows RENAME COLUMN told TO published",
    "ALTER TABLE status_incident_updates RENAME COLUMN told TO notified",
    "ALTER TABLE status_notices RENAME COLUMN told_at TO sent_at",
    ...Object.entries(RENAMED_TABLES).map(([from, to]) => `ALTER TABLE ${from} RENAME TO ${to}`),
    "ALTER TABLE status_works_announced RENAME COLUMN told_at TO announced_at",
    `UPDATE certificates SET raised = REPLACE(raised, '"toldDays":', '"announcedDays":')`,
  ],
};
