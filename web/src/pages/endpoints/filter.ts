import type { EndpointRecord } from "../../../../src/monitoring/endpoints/api.ts";
import { oneOf, someOf, textParam } from "../../app/search-params.ts";

/** A status to filter by. Paused is one here, since that is what one looks for. */
export type FilterStatus = "down" | "degraded" | "unknown" | "paused" | "up";

/** From worst to best, as the list is ordered. */
export const STATUS_WORDS: Readonly<Record<FilterStatus, string>> = {
  down: "Down",
  degraded: "Degraded",
  unknown: "Unknown",
  paused: "Paused",
  up: "Up",
};
// The keys of a typed record are its type's.
export const FILTER_STATUSES = Object.keys(STATUS_WORDS) as FilterStatus[];
export const SOURCE_WORDS = { label: "Labels", standalone: "Added manually" } as const;
const SOURCES = ["label", "standalone"] as const;
const TYPES = ["http", "tcp"] as const;

/** What the address of the list says. */
export interface EndpointFilter {
  q?: string | undefined;
  status?: FilterStatus[] | undefined;
  source?: (typeof SOURCES)[number] | undefined;
  type?: (typeof TYPES)[number] | undefined;
  view?: "inactive" | undefined;
  /** The form that makes one is open. */
  create?: "yes" | undefined;
  /** What the form begins with. */
  target?: string | undefined;
}

export function endpointFilter(search: Record<string, unknown>): EndpointFilter {
  return {
    q: textParam(search["q"]),
    status: someOf(search["status"], FILTER_STATUSES),
    source: oneOf(search["source"], SOURCES),
    type: oneOf(search["type"], TYPES),
    view: oneOf(search["view"], ["inactive"] as const),
    create: oneOf(search["create"], ["yes"] as const),
    target: textParam(search["target"]),
  };
}

/** Whether anything is left out, apart from what the chosen view leaves out. */
export function isNarrowed({ q, status, source, type }: EndpointFilter): boolean {
  return q !== undefined || status !== undefined || source !== undefined || type !== undefined;
}

export function statusOf({ paused, status }: Pick<EndpointRecord, "paused" | "status">): FilterStatus {
  return paused ? "paused" : status;
}

/** What the filter and the chosen host leave, those that need somebody first, then by name. */
export function applyFilter(
  endpoints: readonly EndpointRecord[],
  filter: EndpointFilter & { host?: string | undefined },
): readonly EndpointRecord[] {
  const text = filter.q?.toLowerCase();
  const agentId = filter.host === "local" ? null : filter.host;
  return endpoints
    .filter(
      (endpoint) =>
        (agentId === undefined || endpoint.agent_id === agentId) &&
        (filter.status === undefined || filter.status.includes(statusOf(endpoint))) &&
        (filter.source === undefined || endpoint.source === filter.source) &&
        (filter.type === undefined || endpoint.type === filter.type) &&
        (text === undefined ||
          [endpoint.name, endpoint.target, endpoint.container_name].some((each) => each?.toLowerCase().includes(text))),
    )
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name) || one.id - other.id);
}

/** What is unknown or paused needs nobody: it stands with those that are up. */
function rank({ status, paused }: EndpointRecord): number {
  if (paused) return 2;
  return status === "down" ? 0 : status === "degraded" ? 1 : 2;
}
