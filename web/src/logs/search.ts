import { LOG_LEVEL_FILTERS, LOG_STREAMS, type LogStream } from "../../../src/contract/log.ts";
import { momentParam, oneOf, textParam } from "../app/search-params.ts";

/** What the address of a page says of the log on it; what is absent is every line. */
export interface LogSearch {
  /** What is looked for in the log. */
  find?: string | undefined;
  level?: (typeof LOG_LEVEL_FILTERS)[number] | undefined;
  stream?: LogStream | undefined;
  /** Of a workload of Kubernetes: only containers of this name. */
  container?: string | undefined;
  /** Of a workload of Kubernetes: what ran before the last restart. */
  run?: "previous" | undefined;
  /** The moment at which it is opened. */
  log_at?: string | undefined;
}

export function logSearch(search: Record<string, unknown>): LogSearch {
  return {
    find: textParam(search["find"]),
    level: oneOf(search["level"], LOG_LEVEL_FILTERS),
    stream: oneOf(search["stream"], LOG_STREAMS),
    container: textParam(search["container"]),
    run: oneOf(search["run"], ["previous"] as const),
    log_at: momentParam(search["log_at"]),
  };
}
