import type { Migration } from "./migration.ts";

/**
 * Incidents of the status page. Times as in 001; flags are 0 and 1.
 *
 * `components` are ids as JSON; a component that is gone stays among them and is left out of answers. `status` and `resolved_at` follow from the updates.
 * `automatic`: the service opened it, and no person has taken it over. `auto_resolves`: it ends by itself when its alerts are over.
 * `told`: subscribers were told of the update. `status_incident_alerts` has every active alert that led to an incident or joined one, until it is over; it
 * outlives its incident, so that one that was deleted is not opened again.
 */
export const statusIncidents: Migration = {
  name: "013-status-incidents",
  statements: ({ generatedKey }) => [
    `CREATE TABLE status_incidents (
      id ${generatedKey},
      title TEXT NOT NULL,
      severity TEXT NOT NULL,
      status TEXT NOT NULL,
      components TEXT NOT NULL,
      automatic BIGINT NOT NULL,
      auto_resolves BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      resolved_at BIGINT
    )`,
    "CREATE INDEX status_incidents_open ON status_incidents (id) WHERE resolved_at IS NULL",
    "CREATE INDEX status_incidents_resolved ON status_incidents (resolved_at) WHERE resolved_at IS NOT NULL",
    "CREATE INDEX status_incidents_created ON status_incidents (created_at, id)",
    "CREATE INDEX status_incidents_updated ON status_incidents (updated_at, id)",
    `CREATE TABLE status_incident_updates (
      id ${generatedKey},
      incident_id BIGINT NOT NULL REFERENCES status_incidents (id) ON DELETE CASCADE,
      status TEXT NOT NULL,
      message TEXT NOT NULL,
      told BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      edited_at BIGINT
    )`,
    "CREATE INDEX status_incident_updates_incident ON status_incident_updates (incident_id, id)",
    `CREATE TABLE status_incident_alerts (
      alert_id BIGINT PRIMARY KEY,
      incident_id BIGINT NOT NULL
    )`,
  ],
};
