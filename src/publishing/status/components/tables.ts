import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/012-status-components.ts and 046-status-scopes.ts for their meaning. */
export interface ComponentTables {
  status_groups: GroupRow;
  status_components: ComponentRow;
  status_days: DayRow;
}

export interface GroupRow {
  id: Generated<number>;
  name: string;
  sort_order: number;
  created_at: number;
  updated_at: number;
}

export interface ComponentRow {
  id: Generated<number>;
  group_id: number | null;
  name: string;
  description: string;
  monitor_type: string;
  monitor_id: number;
  monitor_scope: string | null;
  monitor_name: string;
  agent_id: string | null;
  sort_order: number;
  visible: number;
  auto_incident: number;
  needs_attention: number;
  status: string;
  status_since: number;
  status_override: string | null;
  monitor_status: string;
  observed: number;
  last_observed_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface DayRow {
  component_id: number;
  day: number;
  operational_ms: number;
  degraded_ms: number;
  maintenance_ms: number;
  partial_outage_ms: number;
  major_outage_ms: number;
}
