import { oneOf } from "../../../app/search-params.ts";
import { type LogSearch, logSearch } from "../../../logs/search.ts";

/** What the address of a service's page says; without a tab it is the first. */
export interface ServiceSearch extends LogSearch {
  tab?: "logs" | undefined;
}

export function serviceSearch(search: Record<string, unknown>): ServiceSearch {
  return { tab: oneOf(search["tab"], ["logs"] as const), ...logSearch(search) };
}
