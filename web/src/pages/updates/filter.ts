import { UPDATE_STATUSES, UPDATE_TYPES } from "../../../../src/contract/updates.ts";
import type { UpdateStatus, UpdateType } from "../../../../src/events.ts";
import type { UpdateFilter } from "../../api/updates.ts";
import { oneOf, textParam } from "../../app/search-params.ts";

const VIEWS = ["exclusions", "dry-run", "errors"] as const;

/** What the address of the page says. */
export interface PageSearch {
  q?: string | undefined;
  status?: UpdateStatus | undefined;
  type?: UpdateType | undefined;
  /** The container whose details are open. */
  show?: number | undefined;
  /** What else is open over the page. */
  view?: (typeof VIEWS)[number] | undefined;
}

export function updateFilter(search: Record<string, unknown>): PageSearch {
  const show = Number(search["show"] ?? Number.NaN);
  return {
    q: textParam(search["q"])?.slice(0, 200),
    status: oneOf(search["status"], UPDATE_STATUSES),
    type: oneOf(search["type"], UPDATE_TYPES),
    show: Number.isSafeInteger(show) && show > 0 ? show : undefined,
    view: oneOf(search["view"], VIEWS),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status, type }: PageSearch): boolean {
  return q !== undefined || status !== undefined || type !== undefined;
}

/** What the server is asked for. */
export function askedOf({ q, status, type }: PageSearch, host: string | undefined): UpdateFilter {
  return { search: q, status, update_type: type, agent_id: host };
}
