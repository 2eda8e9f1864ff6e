import { answersOf } from "../../../http/answers.ts";
import { route, type Route } from "../../../http/route.ts";
import type { AlertCase } from "../../assistant/index.ts";
import { caseParams } from "./api.ts";

const answer = answersOf(() => import("./answers.ts"));

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
      responses: { 200: answer("alertCase") },
      handle: ({ params }) => caseOf(params.id),
    }),
  ];
}
