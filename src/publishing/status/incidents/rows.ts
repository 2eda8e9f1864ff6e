import type { Selectable, Generated } from "kysely";
import { z } from "zod";
import { toDate } from "../../../contract/time.ts";
import { IMPACTS, INCIDENT_SEVERITIES, INCIDENT_STATUSES } from "../vocabulary.ts";
import type { KeptIncident, KeptUpdate } from "./incident.ts";

/** The columns of this feature's tables; see storage/migrations/013-status-incidents.ts for their meaning. */
export interface IncidentTables {
  status_incidents: IncidentRow;
  status_incident_updates: UpdateRow;
  status_incident_alerts: { alert_id: number; incident_id: number };
}

interface IncidentRow {
  id: Generated<number>;
  title: string;
  severity: string;
  status: string;
  components: string;
  impacts: string;
  automatic: number;
  auto_resolves: number;
  created_at: number;
  updated_at: number;
  resolved_at: number | null;
}

interface UpdateRow {
  id: Generated<number>;
  incident_id: number;
  status: string;
  message: string;
  notified: number;
  created_at: number;
  edited_at: number | null;
}

const severity = z.enum(INCIDENT_SEVERITIES);
const status = z.enum(INCIDENT_STATUSES);
const components = z.array(z.number());
const impacts = z.array(z.tuple([z.number(), z.enum(IMPACTS)]));

/** What was saved was checked before; a row that is otherwise was changed from outside and is a defect. */
export function incidentFromRow(row: Selectable<IncidentRow>, updates: readonly KeptUpdate[]): KeptIncident {
  return {
    id: row.id,
    title: row.title,
    severity: severity.parse(row.severity),
    status: status.parse(row.status),
    components: components.parse(JSON.parse(row.components)),
    impacts: new Map(impacts.parse(JSON.parse(row.impacts))),
    automatic: row.automatic === 1,
    autoResolves: row.auto_resolves === 1,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    resolvedAt: toDate(row.resolved_at),
    updates,
  };
}

export function incidentToRow(incident: KeptIncident): Omit<IncidentRow, "id"> {
  return {
    title: incident.title,
    severity: incident.severity,
    status: incident.status,
    components: JSON.stringify(incident.components),
    impacts: JSON.stringify([...incident.impacts]),
    automatic: incident.automatic ? 1 : 0,
    auto_resolves: incident.autoResolves ? 1 : 0,
    created_at: incident.createdAt.getTime(),
    updated_at: incident.updatedAt.getTime(),
    resolved_at: incident.resolvedAt?.getTime() ?? null,
  };
}

export function updateFromRow(row: Selectable<UpdateRow>): KeptUpdate {
  return {
    id: row.id,
    status: status.parse(row.status),
    message: row.message,
    notified: row.notified === 1,
    at: new Date(row.created_at),
    editedAt: toDate(row.edited_at),
  };
}

export function updateToRow(update: KeptUpdate, incidentId: number): Omit<UpdateRow, "id"> {
  return {
    incident_id: incidentId,
    status: update.status,
    message: update.message,
    notified: update.notified ? 1 : 0,
    created_at: update.at.getTime(),
    edited_at: update.editedAt?.getTime() ?? null,
  };
}
