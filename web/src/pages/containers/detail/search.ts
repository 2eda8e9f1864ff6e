import { oneOf } from "../../../app/search-params.ts";
import { RANGE_NAMES } from "../../../../../src/contract/ranges.ts";
import { type LogSearch, logSearch } from "../../../logs/search.ts";

const CONTAINER_TABS = ["overview", "logs", "metrics", "history", "checks", "updates", "security"] as const;
export const HISTORY_RANGES = ["24h", "7d", "30d", "90d"] as const;
const RANGES = [...RANGE_NAMES, "90d"] as const;

/** What the address of a container's page says; what is absent is the first tab, every line, the range that a tab begins with. */
export interface ContainerSearch extends LogSearch {
  tab?: (typeof CONTAINER_TABS)[number] | undefined;
  /** Each tab knows some of these ranges. */
  range?: (typeof RANGES)[number] | undefined;
}

export function containerSearch(search: Record<string, unknown>): ContainerSearch {
  return {
    tab: oneOf(search["tab"], CONTAINER_TABS),
    ...logSearch(search),
    range: oneOf(search["range"], RANGES),
  };
}
