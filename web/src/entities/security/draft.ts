import type { AcknowledgmentBody } from "../../../../src/monitoring/security/api.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import type { Faults } from "../../ui/forms/server-faults.ts";

export interface AcknowledgmentDraft {
  by: string;
  reason: string;
}

export const ACKNOWLEDGMENT_FIELDS = ["acknowledged_by", "reason"];

/** What the draft asks for, or what is wrong with it. */
export function readDraft({ container_id, type, finding_key }: Pick<InsightRecord, "container_id" | "type" | "finding_key">) {
  return ({ by, reason }: AcknowledgmentDraft): { body: AcknowledgmentBody } | { faults: Faults } => {
    const body = { container_id, finding_type: type, finding_key, acknowledged_by: by.trim(), reason: reason.trim() };
    const faults: Record<string, string> = {};
    if (body.acknowledged_by === "") faults["acknowledged_by"] = "Enter your name.";
    if (body.reason === "") faults["reason"] = "Enter a reason.";
    return Object.keys(faults).length > 0 ? { faults } : { body };
  };
}
