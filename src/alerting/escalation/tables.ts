import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/011-escalation.ts for their meaning. */
export interface EscalationTables {
  escalation_policies: PolicyRow;
  escalation_runs: RunRow;
  escalation_deliveries: DeliveryRow;
}

export interface PolicyRow extends PolicyColumns {
  id: Generated<number>;
}

export interface PolicyColumns {
  name: string;
  active: number;
  active_before: number | null;
  filters: string;
  levels: string;
  created_at: number;
  updated_at: number;
}

export interface RunRow extends RunKey, RunState {
  id: Generated<number>;
  version: number;
}

/** What of a run never changes. */
export interface RunKey {
  alert_id: number;
  policy_id: number;
  plan: string;
  started_at: number;
}

export interface RunState {
  status: string;
  level_index: number;
  paused_at: number | null;
  paused_until: number | null;
  paused_ms: number;
  next_at: number | null;
  due_at: number | null;
  ended_at: number | null;
}

export interface DeliveryRow extends DeliveryColumns {
  id: Generated<number>;
}

export interface DeliveryColumns {
  run_id: number;
  delivery_id: number | null;
  channel_id: number;
  level_index: number;
  kind: string;
  event: string;
  status: string;
  error: string | null;
  created_at: number;
  settled_at: number | null;
}
