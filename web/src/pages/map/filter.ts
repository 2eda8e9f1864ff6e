import { oneOf, textParam } from "../../app/search-params.ts";

/** What the address of the page says; what is absent narrows nothing. */
export interface MapFilter {
  group?: string | undefined;
  /** Only what can be reached from outside of its host, and what that needs. */
  only?: "exposed" | undefined;
  view?: "table" | "drawing" | undefined;
}

export function mapFilter(search: Record<string, unknown>): MapFilter {
  return {
    group: textParam(search["group"]),
    only: oneOf(search["only"], ["exposed"] as const),
    view: oneOf(search["view"], ["table", "drawing"] as const),
  };
}
