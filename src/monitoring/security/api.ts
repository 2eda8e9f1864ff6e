import { z } from "zod";
import { SECURITY_BOUNDS } from "../../contract/security.ts";
import { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "../../events.ts";
import { agentFilter, paging, pathId, queryFlag, wholeNumber } from "../../http/schemas.ts";
import { sorting } from "../../http/sorting.ts";
import { line, text } from "../../http/texts.ts";

export const findingType = z.enum(INSIGHT_TYPES);
export const severity = z.enum(INSIGHT_SEVERITIES);

export const SORT_KEYS = ["severity", "type", "name", "image", "since"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export const insightQuery = z.strictObject({
  severity: severity.optional(),
  type: findingType.optional(),
  agent_id: agentFilter,
  acknowledged: queryFlag.optional().meta({ description: "only those that are, or are not; absent: all" }),
  ...sorting(SORT_KEYS),
  ...paging({ limit: 100 }),
});
export type InsightQuery = z.infer<typeof insightQuery>;

export const insightParams = z.object({ container_id: pathId });

export const agentQuery = z.strictObject({ agent_id: agentFilter });

export const postureQuery = z.strictObject({
  agent_id: agentFilter,
  days: wholeNumber({ min: 1, max: SECURITY_BOUNDS.historyDays }).default(90).meta({ description: "of the history" }),
});
export type PostureQuery = z.infer<typeof postureQuery>;

export const containerPostureQuery = z.strictObject({ agent_id: agentFilter, ...paging({ limit: 100 }) });
export type ContainerPostureQuery = z.infer<typeof containerPostureQuery>;

export const containerPostureParams = z.object({ id: pathId });

const findingName = z.strictObject({
  container_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  finding_type: findingType,
  finding_key: text(SECURITY_BOUNDS.keyLength).default(""),
});
export type FindingName = z.infer<typeof findingName>;

const person = { acknowledged_by: line(SECURITY_BOUNDS.personLength), reason: line(SECURITY_BOUNDS.reasonLength) };

export const acknowledgmentBody = findingName.extend(person);
export type AcknowledgmentBody = z.infer<typeof acknowledgmentBody>;

/** Many findings, accepted by one person for one reason. */
export const acknowledgmentBulkBody = z.strictObject({ findings: z.array(findingName).min(1).max(SECURITY_BOUNDS.atOnce), ...person });
export type AcknowledgmentBulkBody = z.infer<typeof acknowledgmentBulkBody>;

export const acknowledgmentQuery = z.strictObject({
  container_id: pathId.optional().meta({ description: "those that hold for this container" }),
  agent_id: agentFilter,
  ...paging({ limit: 100 }),
});
export type AcknowledgmentQuery = z.infer<typeof acknowledgmentQuery>;

export const acknowledgmentParams = z.object({ id: pathId });
