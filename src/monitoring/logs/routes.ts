import { route, type Route } from "../../http/route.ts";
import { logSearchQuery, logSearchResult } from "./api.ts";
import type { LogSearch } from "./search.ts";

export function logRoutes(logs: LogSearch): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/logs/search",
      summary: "Search the logs of all containers, newest lines first",
      tag: "Logs",
      access: "admin",
      query: logSearchQuery,
      errors: ["not_found", "unusable_values"],
      responses: { 200: logSearchResult },
      handle: ({ query, signal }) => logs.search(query, signal),
    }),
  ];
}
