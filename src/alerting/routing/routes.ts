import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { TriggerService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/alert-triggers", tag: "Alert triggers", access: "admin" } as const;

export function triggerRoutes(service: TriggerService): Route[] {
  const one = { ...all, path: `${all.path}/{id}`, params: taken("triggerParams") } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List alert triggers, by name",
      responses: { 200: answer("triggerList") },
      handle: () => service.list(),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Make an alert trigger",
      body: taken("createBody"),
      errors: ["duplicate_name", "conflict"],
      responses: { 201: answer("trigger") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...all,
      path: `${all.path}/simulate`,
      method: "POST",
      unaudited: "it changes nothing",
      summary: "What a trigger would have sent in the last 30 days, and to whom",
      // A simulation reads a month of alerts.
      limit: { count: 30, windowSeconds: 60 },
      body: taken("simulateBody"),
      responses: { 200: answer("simulation") },
      handle: ({ body, signal }) => service.simulate(body, signal),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One alert trigger",
      responses: { 200: answer("trigger") },
      handle: ({ params }) => service.get(params.id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change an alert trigger; what is left out stays as it is",
      body: taken("updateBody"),
      errors: ["duplicate_name"],
      responses: { 200: answer("trigger") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete an alert trigger",
      responses: { 204: answer("trigger") },
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
