import type { PastChanges } from "../../../../platform/look-back.ts";
import type { Database } from "../../../../storage/database.ts";
import { pastChanges } from "../../../../storage/look-back.ts";
import type { IncidentStatus } from "../../vocabulary.ts";
import type { IncidentTables } from "../tables.ts";

/** What was said of an incident. */
export interface IncidentChange {
  /** Of the update. */
  id: number;
  at: Date;
  incidentId: number;
  title: string;
  status: IncidentStatus;
  automatic: boolean;
}

/** The updates of incidents, newest first; the first one of an incident opens it. */
export function createPastStore(database: Database): PastChanges<IncidentChange> {
  const tables = database.tables<IncidentTables>();
  return pastChanges({
    from: (since) =>
      tables.read
        .selectFrom("status_incident_updates as said")
        .innerJoin("status_incidents as incident", "incident.id", "said.incident_id")
        // An incident is as new as the latest of its updates, and has an index by that.
        .where("incident.updated_at", ">=", since.getTime()),
    at: "said.created_at",
    id: "said.id",
    select: (query) =>
      query.select(["said.id", "said.created_at", "said.incident_id", "said.status", "incident.title", "incident.automatic"]),
    read: (row) => ({
      id: row.id,
      at: new Date(row.created_at),
      incidentId: row.incident_id,
      title: row.title,
      // This column holds what was written of this type.
      status: row.status as IncidentStatus,
      automatic: row.automatic === 1,
    }),
  });
}
