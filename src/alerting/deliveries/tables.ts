import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/010-deliveries.ts for their meaning. */
export interface DeliveryTables {
  delivery_notifications: { id: Generated<number>; body: string; created_at: number };
  deliveries: DeliveryRow;
}

export interface DeliveryRow extends OrderColumns, StateColumns {
  id: Generated<number>;
}

export interface OrderColumns {
  notification_id: number;
  alert_id: number;
  channel_id: number;
  event: string;
  escalation_run_id: number | null;
  escalation_level: number | null;
  notify_on_resolve: number;
  because: string;
  replay_of: number | null;
  created_at: number;
}

export interface StateColumns {
  status: string;
  attempts: number;
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  sent_at: number | null;
}
