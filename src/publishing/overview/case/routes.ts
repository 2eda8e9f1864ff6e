import { route, type Route } from "../../../http/route.ts";
import type { AlertCase } from "../../assistant/index.ts";
import { alertCase, caseParams } from "./api.ts";

export function caseRoutes(caseOf: (alertId: number) => Promise<AlertCase>): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/alerts/{id}/case",
      tag: "Alerts",
      access: "admin",
      summary:
        "Why an alert was raised, from records: cause, log, metrics, what changed in the hour before, earlier times, next escalation",
      params: caseParams,
      responses: { 200: alertCase },
      handle: ({ params }) => caseOf(params.id),
    }),
  ];
}
