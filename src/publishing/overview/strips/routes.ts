import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";
import { stripQuery } from "./api.ts";
import type { StripService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

export function stripRoutes(service: StripService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/overview/strips",
      tag: "Overview",
      access: "admin",
      summary: "How each container, endpoint and heartbeat was within the last 24 hours, in steps",
      query: stripQuery,
      errors: ["unusable_values"],
      responses: { 200: answer("stripList") },
      handle: ({ query }) => service.list(query),
    }),
  ];
}
