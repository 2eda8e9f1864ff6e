import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";
import type { LogPatterns } from "./patterns.ts";
import type { LogSearch } from "./search.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

export function logRoutes(logs: LogSearch & LogPatterns): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/logs/search",
      summary: "Search the logs of all containers, newest lines first",
      tag: "Logs",
      access: "admin",
      query: taken("logSearchQuery"),
      errors: ["not_found", "unusable_values"],
      responses: { 200: answer("logSearchResult") },
      handle: ({ query, signal }) => logs.search(query, signal),
    }),
    route({
      method: "GET",
      path: "/api/v1/logs/patterns",
      summary: "Group the log lines of all containers by pattern: numbers, ids and times are folded",
      tag: "Logs",
      access: "admin",
      query: taken("logPatternQuery"),
      errors: ["not_found", "unusable_values"],
      responses: { 200: answer("logPatternResult") },
      handle: ({ query, signal }) => logs.patterns(query, signal),
    }),
  ];
}
