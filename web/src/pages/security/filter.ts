import type { InsightFilter } from "../../api/security.ts";
import { oneOf } from "../../app/search-params.ts";
import type { FindingSeverity, FindingType } from "../../entities/security/words.ts";

/** From the worst to the mildest. Words are not here: the app begins with what addresses are checked with. */
export const SEVERITIES = ["critical", "high", "medium"] as const satisfies readonly FindingSeverity[];
export const FINDING_TYPES = [
  "port_exposed_all_interfaces",
  "database_port_exposed",
  "privileged_container",
  "host_network_mode",
  "service_load_balancer",
  "service_node_port",
  "missing_network_policy",
  "host_path_mount",
  "runs_as_root",
  "missing_limits",
  "latest_tag",
] as const satisfies readonly FindingType[];

/** What the address of the page says. */
export interface SecurityFilter {
  severity?: FindingSeverity | undefined;
  type?: FindingType | undefined;
  acknowledged?: "yes" | "no" | undefined;
}

export function securityFilter(search: Record<string, unknown>): SecurityFilter {
  return {
    severity: oneOf(search["severity"], SEVERITIES),
    type: oneOf(search["type"], FINDING_TYPES),
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
