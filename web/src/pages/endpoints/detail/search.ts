import { RANGE_NAMES, type Range } from "../../../../../src/contract/ranges.ts";
import { oneOf } from "../../../app/search-params.ts";

/** What the address of an endpoint's page says. */
export interface EndpointSearch {
  range?: Range | undefined;
  edit?: "yes" | undefined;
}

export function endpointSearch(search: Record<string, unknown>): EndpointSearch {
  return { range: oneOf(search["range"], RANGE_NAMES), edit: oneOf(search["edit"], ["yes"] as const) };
}
