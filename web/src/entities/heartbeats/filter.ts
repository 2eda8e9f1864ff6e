import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import type { HeartbeatFilter } from "./search.ts";

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
