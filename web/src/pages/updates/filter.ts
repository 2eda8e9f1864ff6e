import { UPDATE_STATUSES, UPDATE_TYPES } from "../../../../src/contract/updates.ts";
import type { UpdateStatus, UpdateType } from "../../../../src/events.ts";
import type { SortKey } from "../../../../src/monitoring/updates/api.ts";
import type { UpdateFilter } from "../../api/updates.ts";
import { oneOf, textParam } from "../../app/search-params.ts";
import { orderOf, type FirstOrder, type SortSearch } from "../../lists/sort.ts";

const VIEWS = ["exclusions", "dry-run", "errors"] as const;

/** What each column is sorted by first. */
export const FIRST_ORDER: FirstOrder<SortKey> = {
  name: "asc",
  image: "asc",
  update_type: "asc",
  published: "desc",
  risk: "desc",
  fixed: "desc",
};
// The keys of a typed record are its type's.
export const SORT_KEYS = Object.keys(FIRST_ORDER) as SortKey[];

/** What the address of the page says. */
export interface PageSearch extends SortSearch<SortKey> {
  q?: string | undefined;
  status?: UpdateStatus | undefined;
  type?: UpdateType | undefined;
  /** Containers of one image with the same update are one row. */
  group?: "image" | undefined;
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
    sort: oneOf(search["sort"], SORT_KEYS),
    order: oneOf(search["order"], ["asc", "desc"] as const),
    group: oneOf(search["group"], ["image"] as const),
    show: Number.isSafeInteger(show) && show > 0 ? show : undefined,
    view: oneOf(search["view"], VIEWS),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status, type }: PageSearch): boolean {
  return q !== undefined || status !== undefined || type !== undefined;
}

/** How much is read: groups need all. */
export function pagesOf({ group }: PageSearch): "some" | "all" {
  return group === undefined ? "some" : "all";
}

/** What the server is asked for. */
export function askedOf({ q, status, type, sort, order }: PageSearch, host: string | undefined): UpdateFilter {
  return {
    search: q,
    status,
    update_type: type,
    agent_id: host,
    sort,
    order: sort === undefined ? undefined : orderOf({ sort, order }, FIRST_ORDER),
  };
}
