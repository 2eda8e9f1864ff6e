import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/013-status-incidents.ts for their meaning. */
export interface IncidentTables {
  status_incidents: IncidentRow;
  status_incident_updates: UpdateRow;
  status_incident_alerts: { alert_id: number; incident_id: number };
}

export interface IncidentRow {
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

export interface UpdateRow {
  id: Generated<number>;
  incident_id: number;
  status: string;
  message: string;
  told: number;
  created_at: number;
  edited_at: number | null;
}
