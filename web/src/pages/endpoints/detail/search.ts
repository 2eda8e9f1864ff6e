import type { Range } from "../../../../../src/monitoring/endpoints/api.ts";
import { oneOf } from "../../../app/search-params.ts";

export const RANGES = ["1h", "6h", "24h", "7d", "30d"] as const satisfies readonly Range[];

/** What the address of an endpoint's page says. */
export interface EndpointSearch {
  range?: Range | undefined;
  edit?: "yes" | undefined;
}

export function endpointSearch(search: Record<string, unknown>): EndpointSearch {
  return { range: oneOf(search["range"], RANGES), edit: oneOf(search["edit"], ["yes"] as const) };
}
