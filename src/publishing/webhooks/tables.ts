import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/010-deliveries.ts for their meaning. */
export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
}

export interface WebhookRow extends SettingsColumns, StateColumns {
  id: Generated<number>;
  created_at: number;
  dropped: number;
}

export interface SettingsColumns {
  name: string;
  url: string;
  secret: string;
  event_types: string;
  updated_at: number;
}

export interface StateColumns {
  active: number;
  disabled_reason: string | null;
  last_delivery_at: number | null;
  last_status: string | null;
  last_status_code: number | null;
  last_error: string | null;
  failure_count: number;
}

export interface WebhookDeliveryRow extends NewDeliveryRow {
  id: Generated<number>;
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  sent_at: number | null;
}

export interface NewDeliveryRow {
  webhook_id: number;
  event_id: string;
  type: string;
  body: string;
  status: string;
  attempts: number;
  next_attempt_at: number | null;
  created_at: number;
}
