import type { EndpointSource } from "../../../../src/contract/endpoint.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import { isUnobserved } from "../../format/endpoint-status.ts";
import type { EndpointFilter, FilterStatus } from "./search.ts";

export const STATUS_WORDS: Readonly<Record<FilterStatus, string>> = {
  down: "Down",
  degraded: "Degraded",
  unknown: "Unknown",
  paused: "Paused",
  up: "Up",
};
export const SOURCE_WORDS: Readonly<Record<EndpointSource, string>> = { label: "Labels", standalone: "Added manually" };

/** Whether nothing comes from the host of an endpoint. */
export type IsHostLost = (endpoint: Pick<EndpointRecord, "agent_id">) => boolean;

/** As the API filters and counts: what is only the last known to be up is unknown. */
export function statusOf(endpoint: EndpointRecord, isHostLost: IsHostLost): FilterStatus {
  if (endpoint.paused) return "paused";
  return endpoint.status === "up" && (isHostLost(endpoint) || isUnobserved(endpoint)) ? "unknown" : endpoint.status;
}

/** What the filter and the chosen host leave, those that need somebody first, then by name. */
export function applyFilter(
  endpoints: readonly EndpointRecord[],
  filter: EndpointFilter & { host?: string | undefined },
  isHostLost: IsHostLost = () => false,
): readonly EndpointRecord[] {
  const text = filter.q?.toLowerCase();
  const agentId = filter.host === "local" ? null : filter.host;
  return endpoints
    .filter(
      (endpoint) =>
        (agentId === undefined || endpoint.agent_id === agentId) &&
        (filter.status === undefined || filter.status.includes(statusOf(endpoint, isHostLost))) &&
        (filter.source === undefined || endpoint.source === filter.source) &&
        (filter.type === undefined || endpoint.type === filter.type) &&
        (text === undefined ||
          [endpoint.name, endpoint.target, endpoint.container_name, endpoint.service_name].some((each) =>
            each?.toLowerCase().includes(text),
          )),
    )
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name) || one.id - other.id);
}

/** What is unknown or paused needs nobody: it stands with those that are up. */
function rank({ status, paused }: EndpointRecord): number {
  if (paused) return 2;
  return status === "down" ? 0 : status === "degraded" ? 1 : 2;
}
