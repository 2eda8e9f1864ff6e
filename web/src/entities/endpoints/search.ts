import { oneOf, someOf, textParam } from "../../app/search-params.ts";

/** From worst to best, as the list is ordered. Words are not here: the app begins with what addresses are checked with. */
export const FILTER_STATUSES = ["down", "degraded", "unknown", "paused", "up"] as const;
/** A status to filter by. Paused is one here, since that is what one looks for. */
export type FilterStatus = (typeof FILTER_STATUSES)[number];
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
