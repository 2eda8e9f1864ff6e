import { z } from "zod";
import { ACTOR_KINDS, AUDIT_FORMATS, AUDIT_OUTCOMES } from "../../contract/audit.ts";
import { timestamp, wholeNumber } from "../../http/schemas.ts";
import { line } from "../../http/texts.ts";

const filters = {
  actor: z.enum(ACTOR_KINDS).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  operation: line(128).optional(),
  entity_type: line(64).optional(),
  entity_id: line(64).optional(),
  since: timestamp.optional().meta({ description: "RFC 3339: not before" }),
  until: timestamp.optional().meta({ description: "RFC 3339: before" }),
};

/** The id of the last entry of the page before. */
const cursor = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().meta({ description: "`next_cursor` of the page before" });

export const auditQuery = z.strictObject({ ...filters, limit: wholeNumber({ min: 1, max: 1000 }).default(100), cursor });

export const exportQuery = z.strictObject({ ...filters, format: z.enum(AUDIT_FORMATS).default("jsonl") });

/** The filters of the audit log. */
export interface AuditFilter {
  actor?: (typeof ACTOR_KINDS)[number] | undefined;
  outcome?: (typeof AUDIT_OUTCOMES)[number] | undefined;
  operation?: string | undefined;
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}
