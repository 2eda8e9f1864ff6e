import { INSIGHT_SEVERITIES, INSIGHT_TYPES, type InsightSeverity, type InsightType } from "../../../../src/contract/security.ts";
import type { SortKey } from "../../../../src/monitoring/security/api.ts";
import type { InsightFilter } from "../../api/security.ts";
import { GROUPINGS, type Grouping } from "../../entities/security/grouping.ts";
import { oneOf } from "../../app/search-params.ts";
import { orderOf, type FirstOrder, type SortSearch } from "../../lists/sort.ts";

/** What findings are sorted by first. */
export const FIRST_ORDER: FirstOrder<SortKey> = { severity: "asc", type: "asc", name: "asc", image: "asc", since: "desc" };
// The keys of a typed record are its type's.
export const SORT_KEYS = Object.keys(FIRST_ORDER) as SortKey[];

/** What the address of the page says. */
export interface SecurityFilter extends SortSearch<SortKey> {
  severity?: InsightSeverity | undefined;
  type?: InsightType | undefined;
  acknowledged?: "yes" | "no" | undefined;
  group?: Grouping | undefined;
}

export function securityFilter(search: Record<string, unknown>): SecurityFilter {
  return {
    severity: oneOf(search["severity"], INSIGHT_SEVERITIES),
    type: oneOf(search["type"], INSIGHT_TYPES),
    acknowledged: oneOf(search["acknowledged"], ["yes", "no"] as const),
    sort: oneOf(search["sort"], SORT_KEYS),
    order: oneOf(search["order"], ["asc", "desc"] as const),
    group: oneOf(search["group"], GROUPINGS),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ severity, type, acknowledged }: SecurityFilter): boolean {
  return severity !== undefined || type !== undefined || acknowledged !== undefined;
}

/** How much is read: groups need all. */
export function pagesOf({ group }: SecurityFilter): "some" | "all" {
  return group === undefined ? "some" : "all";
}

/** What the server is asked for. */
export function askedFor({ severity, type, acknowledged, sort, order }: SecurityFilter, host: string | undefined): InsightFilter {
  return {
    severity,
    type,
    acknowledged: acknowledged === undefined ? undefined : acknowledged === "yes",
    agent_id: host,
    sort,
    order: sort === undefined ? undefined : orderOf({ sort, order }, FIRST_ORDER),
  };
}
