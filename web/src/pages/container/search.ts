import { oneOf, textParam } from "../../app/search-params.ts";
import { RANGE_NAMES } from "../../charts/ranges.ts";

const CONTAINER_TABS = ["overview", "logs", "metrics", "history", "checks", "updates", "security"] as const;
const LOG_LEVELS = ["error", "warn", "info"] as const;
const LOG_STREAMS = ["stdout", "stderr"] as const;
export const HISTORY_RANGES = ["24h", "7d", "30d", "90d"] as const;
const RANGES = [...RANGE_NAMES, "90d"] as const;

/** What the address of a container's page says; what is absent is the first tab, every line, the range that a tab begins with. */
export interface ContainerSearch {
  tab?: (typeof CONTAINER_TABS)[number] | undefined;
  /** What is looked for in the log. */
  find?: string | undefined;
  level?: (typeof LOG_LEVELS)[number] | undefined;
  stream?: (typeof LOG_STREAMS)[number] | undefined;
  /** Of which each tab knows some. */
  range?: (typeof RANGES)[number] | undefined;
}

export function containerSearch(search: Record<string, unknown>): ContainerSearch {
  return {
    tab: oneOf(search["tab"], CONTAINER_TABS),
    find: textParam(search["find"]),
    level: oneOf(search["level"], LOG_LEVELS),
    stream: oneOf(search["stream"], LOG_STREAMS),
    range: oneOf(search["range"], RANGES),
  };
}
