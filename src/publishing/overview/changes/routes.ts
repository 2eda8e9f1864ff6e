import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";
import { pastChangesQuery } from "./api.ts";
import type { ChangeService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

export function changeRoutes(service: ChangeService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/overview/changes",
      tag: "Overview",
      access: "admin",
      summary: "What changed between two moments: states, images, alerts, certificates, updates, agents, incidents",
      query: pastChangesQuery,
      errors: ["unusable_values"],
      responses: { 200: answer("pastChanges") },
      handle: ({ query }) => service.list(query),
    }),
  ];
}
