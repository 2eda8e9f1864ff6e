import type { AcknowledgmentBulkBody, FindingName } from "../../../../src/monitoring/security/api.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import type { Faults } from "../../ui/forms/server-faults.ts";

export interface AcknowledgmentDraft {
  by: string;
  reason: string;
}

type Named = Pick<InsightRecord, "container_id" | "type" | "finding_key">;

export const ACKNOWLEDGMENT_FIELDS = ["acknowledged_by", "reason"];

/** What distinguishes a finding from all others. */
export function findingKey({ container_id: container, type, finding_key: key }: Named): string {
  return `${container} ${type} ${key}`;
}

/** What the draft asks for of these findings, or what is wrong with it. */
export function readDraft(insights: readonly Named[]) {
  return ({ by, reason }: AcknowledgmentDraft): { body: AcknowledgmentBulkBody } | { faults: Faults } => {
    const findings = insights.map(({ container_id, type, finding_key }): FindingName => ({
      container_id,
      finding_type: type,
      finding_key,
    }));
    const body = { findings, acknowledged_by: by.trim(), reason: reason.trim() };
    const faults: Record<string, string> = {};
    if (body.acknowledged_by === "") faults["acknowledged_by"] = "Enter your name.";
    if (body.reason === "") faults["reason"] = "Enter a reason.";
    return Object.keys(faults).length > 0 ? { faults } : { body };
  };
}
