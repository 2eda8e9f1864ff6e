import { HEARTBEAT_STATUSES } from "../../../../src/contract/heartbeat.ts";
import type { HeartbeatStatus } from "../../../../src/events.ts";
import { someOf, textParam } from "../../app/search-params.ts";

/** What the address of the list says. */
export interface HeartbeatFilter {
  q?: string | undefined;
  status?: HeartbeatStatus[] | undefined;
}

export function heartbeatFilter(search: Record<string, unknown>): HeartbeatFilter {
  return { q: textParam(search["q"]), status: someOf(search["status"], HEARTBEAT_STATUSES) };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status }: HeartbeatFilter): boolean {
  return q !== undefined || status !== undefined;
}
