import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";

import type { AttentionService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

export function attentionRoutes(service: AttentionService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/alerts/active/context",
      tag: "Alerts",
      access: "admin",
      summary: "The last log line of active alerts, and what changed just before each",
      responses: { 200: answer("alertContexts") },
      handle: () => service.contexts(),
    }),
  ];
}
