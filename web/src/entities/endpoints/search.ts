import {
  ENDPOINT_SOURCES,
  ENDPOINT_STATUSES,
  ENDPOINT_TYPES,
  type EndpointSource,
  type EndpointStatus,
  type EndpointType,
} from "../../../../src/contract/endpoint.ts";
import { oneOf, someOf, textParam } from "../../app/search-params.ts";
import { columnsParam, type ColumnsParam } from "../../lists/columns.ts";

/** A status to filter by. Paused is one here, since that is what one looks for. */
export type FilterStatus = EndpointStatus | "paused";
/** From worst to best, as the list is ordered. Words are not here: the app begins with what addresses are checked with. */
export const FILTER_STATUSES = ENDPOINT_STATUSES.flatMap((status): FilterStatus[] => (status === "up" ? ["paused", status] : [status]));

/** Columns that can be left out; name and status always stand. */
export const COLUMN_KEYS = ["target", "response", "uptime", "days", "since"] as const;
export type EndpointColumn = (typeof COLUMN_KEYS)[number];

/** What the address of the list says. */
export interface EndpointFilter {
  q?: string | undefined;
  status?: FilterStatus[] | undefined;
  source?: EndpointSource | undefined;
  type?: EndpointType | undefined;
  view?: "inactive" | undefined;
  columns?: ColumnsParam<EndpointColumn> | undefined;
  /** The form that makes one is open. */
  create?: "yes" | undefined;
  /** What the form begins with. */
  target?: string | undefined;
}

export function endpointFilter(search: Record<string, unknown>): EndpointFilter {
  return {
    q: textParam(search["q"]),
    status: someOf(search["status"], FILTER_STATUSES),
    source: oneOf(search["source"], ENDPOINT_SOURCES),
    type: oneOf(search["type"], ENDPOINT_TYPES),
    view: oneOf(search["view"], ["inactive"] as const),
    columns: columnsParam(search["columns"], COLUMN_KEYS),
    create: oneOf(search["create"], ["yes"] as const),
    target: textParam(search["target"]),
  };
}

/** Whether anything is left out, apart from what the chosen view leaves out. */
export function isNarrowed({ q, status, source, type }: EndpointFilter): boolean {
  return q !== undefined || status !== undefined || source !== undefined || type !== undefined;
}
