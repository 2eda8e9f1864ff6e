import type { Selectable, Generated } from "kysely";
import { z } from "zod";
import { INSIGHT_TYPES } from "../../events.ts";
import type { Acknowledgment } from "./acknowledgment.ts";

/** The columns of this feature's tables; see storage/migrations/016-security.ts for their meaning. */
export interface SecurityTables {
  security_acknowledgments: AcknowledgmentRow;
  security_posture_days: PostureDayRow;
}

interface AcknowledgmentRow {
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

interface PostureDayRow {
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

/** The posture of one UTC day, as it was when that day was last looked at. */
export interface PostureDay {
  /** `all`, `local`, or an agent's UUID. */
  host: string;
  /** `YYYY-MM-DD`. */
  day: string;
  score: number;
  containers: number;
  critical: number;
  high: number;
  medium: number;
  acknowledged: number;
}

const findingType = z.enum(INSIGHT_TYPES);

/** What was saved was checked before; a row that is otherwise was changed by another hand and is a defect. */
export function acknowledgmentFromRow(row: Selectable<AcknowledgmentRow>): Acknowledgment {
  return {
    id: row.id,
    host: row.host,
    containerId: row.container_id,
    containerName: row.container_name,
    type: findingType.parse(row.finding_type),
    key: row.finding_key,
    by: row.acknowledged_by,
    reason: row.reason,
    at: new Date(row.acknowledged_at),
  };
}

export function acknowledgmentToRow(acknowledgment: Omit<Acknowledgment, "id">): Omit<AcknowledgmentRow, "id"> {
  return {
    host: acknowledgment.host,
    container_id: acknowledgment.containerId,
    container_name: acknowledgment.containerName,
    finding_type: acknowledgment.type,
    finding_key: acknowledgment.key,
    acknowledged_by: acknowledgment.by,
    reason: acknowledgment.reason,
    acknowledged_at: acknowledgment.at.getTime(),
  };
}

export function dayFromRow({ updated_at: _, ...day }: Selectable<PostureDayRow>): PostureDay {
  return day;
}

export function dayToRow(day: PostureDay, now: Date): PostureDayRow {
  return { ...day, updated_at: now.getTime() };
}
