import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Maintenance } from "./maintenance.ts";
import type { Silences } from "./silences.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const silences = { path: "/api/v1/silence", tag: "Silences", access: "admin" } as const;
const windows = { path: "/api/v1/status/maintenance", tag: "Maintenance", access: "admin" } as const;

export function silenceRoutes(service: Silences): Route[] {
  return [
    route({
      ...silences,
      method: "GET",
      summary: "List silences, the next to end first",
      query: taken("silenceQuery"),
      responses: { 200: answer("silenceList") },
      handle: ({ query }) => service.list(query.all),
    }),
    route({
      ...silences,
      method: "POST",
      summary: "Silence alerts for a while; they are still recorded",
      body: taken("silenceBody"),
      errors: ["conflict"],
      responses: { 201: answer("silence") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...silences,
      path: `${silences.path}/preview`,
      method: "POST",
      unaudited: "it changes nothing",
      summary: "The active alerts that a silence would match",
      body: taken("previewBody"),
      responses: { 200: answer("preview") },
      handle: ({ body }) => service.preview(body.matchers),
    }),
    route({
      ...silences,
      path: `${silences.path}/{id}`,
      method: "DELETE",
      summary: "Cancel a silence; its record stays",
      params: taken("silenceParams"),
      errors: ["conflict"],
      responses: { 204: answer("silence") },
      handle: ({ params }) => service.cancel(params.id),
    }),
  ];
}

export function maintenanceRoutes(service: Maintenance): Route[] {
  const one = { ...windows, path: `${windows.path}/{id}`, params: taken("maintenanceParams") } as const;
  return [
    route({
      ...windows,
      method: "GET",
      summary: "List maintenance windows",
      responses: { 200: answer("maintenanceList") },
      handle: () => service.list(),
    }),
    route({
      ...windows,
      method: "POST",
      summary: "Plan a maintenance window; it begins and ends by itself",
      body: taken("maintenanceBody"),
      errors: ["conflict"],
      responses: { 201: answer("maintenanceWindow") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change a maintenance window; what is left out stays as it is",
      body: taken("maintenanceUpdate"),
      errors: ["conflict"],
      responses: { 200: answer("maintenanceWindow") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete a maintenance window; a running one ends",
      responses: { 204: answer("maintenanceWindow") },
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
