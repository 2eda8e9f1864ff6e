import type { HeartbeatStatus } from "../../../../src/events.ts";
import { someOf, textParam } from "../../app/search-params.ts";

/** In the order of the menu. Words are not here: the app begins with what addresses are checked with. */
export const FILTER_STATUSES = ["down", "started", "up", "new", "paused"] as const satisfies readonly HeartbeatStatus[];

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
