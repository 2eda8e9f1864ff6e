import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import { logRoutes } from "./routes.ts";
import { createLogSearch, type LogSearch, type LogSearchDependencies } from "./search.ts";
import { logTools } from "./tools.ts";

export interface Logs extends LogSearch {
  routes: Route[];
  /** What an assistant may ask; re-created by each call. */
  tools(): Tool[];
}

/** Logs: what all containers write, searched where their runtimes keep it. */
export function createLogs(dependencies: LogSearchDependencies): Logs {
  const logSearch = createLogSearch(dependencies);
  return { ...logSearch, routes: logRoutes(logSearch), tools: () => logTools(logSearch) };
}
