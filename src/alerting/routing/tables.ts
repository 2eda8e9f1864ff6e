import type { Generated } from "kysely";

/** The columns of this feature's table; see storage/migrations/008-routing.ts. */
export interface RoutingTables {
  alert_triggers: TriggerRow;
}

export interface TriggerRow {
  id: Generated<number>;
  name: string;
  filter_severities: string;
  filter_sources: string;
  filter_entities: string;
  filter_tags: string;
  enabled: number;
  notify_on_resolve: number;
  channel_ids: string;
  created_at: number;
  updated_at: number;
}
