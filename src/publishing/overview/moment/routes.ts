import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";
import { momentQuery } from "./api.ts";
import type { MomentService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

export function momentRoutes(service: MomentService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/overview/moment",
      tag: "Overview",
      access: "admin",
      summary:
        "How containers, endpoints, heartbeats and certificates were at a moment of the last 90 days, and which alerts were active then",
      query: momentQuery,
      errors: ["unusable_values"],
      responses: { 200: answer("moment") },
      handle: ({ query }) => service.at(query),
    }),
  ];
}
