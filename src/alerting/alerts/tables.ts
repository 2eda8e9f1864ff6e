import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/009-alerts.ts for their meaning. */
export interface AlertTables {
  alerts: { id: Generated<number> } & KeyColumns & FirstColumns & StateColumns;
  alert_verdicts: WalkRow;
}

export interface KeyColumns {
  source: string;
  event: string;
  entity_type: string;
  entity_id: string;
}

/** What never changes. */
export interface FirstColumns {
  fired_at: number;
}

export interface StateColumns {
  agent_id: string | null;
  severity: string;
  status: string;
  resolved_at: number | null;
  last_raised_at: number;
  resolved_by: string | null;
  /** JSON. */
  resolution: string | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  acknowledged_note: string | null;
  held_by: string | null;
  passed_at: number | null;
  routed_at: number | null;
  told: number;
  walks: number;
  persists: number;
  entity_name: string;
  message: string;
  cause: string | null;
  parents: string;
  labels: string;
  channels: string;
  tags: string;
  details: string;
}

export interface WalkRow {
  alert_id: number;
  walk: number;
  occasion: string;
  verdicts: string;
  at: number;
}
