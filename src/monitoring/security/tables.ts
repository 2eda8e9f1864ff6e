import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/016-security.ts for their meaning. */
export interface SecurityTables {
  security_acknowledgments: AcknowledgmentRow;
  security_posture_days: PostureDayRow;
}

export interface AcknowledgmentRow {
  id: Generated<number>;
  host: string;
  container_id: number;
  container_name: string;
  finding_type: string;
  finding_key: string;
  acknowledged_by: string;
  reason: string;
  acknowledged_at: number;
}

export interface PostureDayRow {
  host: string;
  day: string;
  score: number;
  containers: number;
  critical: number;
  high: number;
  medium: number;
  acknowledged: number;
  updated_at: number;
}
