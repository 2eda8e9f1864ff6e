import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { AlertService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/alerts", tag: "Alerts", access: "admin" } as const;
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export function alertRoutes(service: AlertService): Route[] {
  const one = { ...all, path: "/api/v1/alerts/{id}", params: taken("alertParams") };
  return [
    route({
      ...all,
      method: "GET",
      summary: "List alerts, newest first, resolved ones too",
      query: taken("listQuery"),
      responses: { 200: answer("alertList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...all,
      method: "GET",
      path: "/api/v1/alerts/active",
      summary: "Alerts that are not resolved, worst first",
      query: taken("activeQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("activeAlerts") },
      handle: ({ query }) => new Answer(200, service.active(query), JSON_TYPE),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One alert",
      responses: { 200: answer("shownAlert") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/trace`,
      method: "GET",
      summary: "Why somebody was, or was not, notified of an alert",
      responses: { 200: answer("alertTrace") },
      handle: ({ params }) => service.trace(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/acknowledge`,
      method: "POST",
      summary: "Take an alert on",
      body: taken("acknowledgeBody"),
      errors: ["already_acknowledged", "conflict"],
      responses: { 200: answer("shownAlert") },
      handle: ({ params, body }) => service.acknowledge(params.id, body),
    }),
    route({
      ...one,
      path: `${one.path}/resolve`,
      method: "POST",
      summary: "Say that an alert is over; if the problem is seen again five minutes or more later, a new alert is raised",
      body: taken("resolveBody"),
      errors: ["conflict"],
      responses: { 200: answer("shownAlert") },
      handle: ({ params, body }) => service.resolve(params.id, body),
    }),
  ];
}
