import { INSIGHT_SEVERITIES, INSIGHT_TYPES, type InsightSeverity, type InsightType } from "../../../../src/contract/security.ts";
import type { InsightFilter } from "../../api/security.ts";
import { oneOf } from "../../app/search-params.ts";

/** What the address of the page says. */
export interface SecurityFilter {
  severity?: InsightSeverity | undefined;
  type?: InsightType | undefined;
  acknowledged?: "yes" | "no" | undefined;
}

export function securityFilter(search: Record<string, unknown>): SecurityFilter {
  return {
    severity: oneOf(search["severity"], INSIGHT_SEVERITIES),
    type: oneOf(search["type"], INSIGHT_TYPES),
    acknowledged: oneOf(search["acknowledged"], ["yes", "no"] as const),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ severity, type, acknowledged }: SecurityFilter): boolean {
  return severity !== undefined || type !== undefined || acknowledged !== undefined;
}

/** What the server is asked for. */
export function askedFor({ severity, type, acknowledged }: SecurityFilter, host: string | undefined): InsightFilter {
  return { severity, type, acknowledged: acknowledged === undefined ? undefined : acknowledged === "yes", agent_id: host };
}
