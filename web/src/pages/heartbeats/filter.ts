import type { HeartbeatStatus } from "../../../../src/events.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/api.ts";
import { someOf, textParam } from "../../app/search-params.ts";
import { HEARTBEAT_WORDS } from "../../format/heartbeat-status.ts";

// The keys of a typed record are its type's.
export const FILTER_STATUSES = Object.keys(HEARTBEAT_WORDS) as HeartbeatStatus[];

/** What the address of the list says. */
export interface HeartbeatFilter {
  q?: string | undefined;
  status?: HeartbeatStatus[] | undefined;
}

export function heartbeatFilter(search: Record<string, unknown>): HeartbeatFilter {
  return { q: textParam(search["q"]), status: someOf(search["status"], FILTER_STATUSES) };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status }: HeartbeatFilter): boolean {
  return q !== undefined || status !== undefined;
}

/** Those that the filter and the chosen host leave, those that need attention first, then by name. */
export function applyFilter(all: readonly HeartbeatRecord[], filter: HeartbeatFilter & { host?: string | undefined }): HeartbeatRecord[] {
  const text = filter.q?.toLowerCase();
  const agentId = filter.host === "local" ? null : filter.host;
  const kept = all.filter(
    ({ agent_id, status, name, tags }) =>
      (agentId === undefined || agent_id === agentId) &&
      (filter.status === undefined || filter.status.includes(status)) &&
      (text === undefined || name.toLowerCase().includes(text) || tags.some((tag) => tag.toLowerCase().includes(text))),
  );
  return kept.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ status, reason }: HeartbeatRecord): number {
  if (status === "down") return 0;
  return reason === null ? 2 : 1;
}
