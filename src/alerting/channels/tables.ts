import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/007-channels.ts for their meaning. */
export interface ChannelTables {
  channels: ChannelRow;
  channel_rules: RuleRow;
}

export interface ChannelRow {
  id: Generated<number>;
  name: string;
  name_key: string;
  type: string;
  url: string;
  headers: string;
  enabled: number;
  health: string;
  last_error: string | null;
  last_delivery_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface RuleRow {
  id: Generated<number>;
  channel_id: number;
  source: string | null;
  severity: string | null;
  entity_type: string | null;
  entity_id: string | null;
}
