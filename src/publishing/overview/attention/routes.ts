import { route, type Route } from "../../../http/route.ts";
import { alertContexts } from "./api.ts";
import type { AttentionService } from "./service.ts";

export function attentionRoutes(service: AttentionService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/alerts/active/context",
      tag: "Alerts",
      access: "admin",
      summary: "The last log line of active alerts, and what changed just before each",
      responses: { 200: alertContexts },
      handle: () => service.contexts(),
    }),
  ];
}
