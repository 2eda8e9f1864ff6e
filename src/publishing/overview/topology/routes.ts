import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";
import { topologyQuery } from "./api.ts";
import type { TopologyService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

export function topologyRoutes(service: TopologyService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/topology",
      tag: "Overview",
      access: "admin",
      summary: "Containers with what they depend on, what checks them, and where they can be reached",
      query: topologyQuery,
      responses: { 200: answer("topology") },
      handle: ({ query }) => service.topology(query),
    }),
  ];
}
