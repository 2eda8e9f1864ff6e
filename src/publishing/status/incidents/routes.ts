import { schemasOf } from "../../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../../http/route.ts";
import type { IncidentService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/status/incidents", tag: "Status page administration", access: "admin" } as const;

export function incidentRoutes(service: IncidentService): Route[] {
  const one = { ...all, path: `${all.path}/{id}`, params: taken("params") } as const;
  const update = { ...all, path: `${one.path}/updates/{update_id}`, params: taken("updateParams") } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List incidents, those that are open first",
      query: taken("incidentQuery"),
      responses: { 200: answer("incidentList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Open an incident with its first update",
      body: taken("incidentBody"),
      errors: ["conflict"],
      responses: { 201: answer("incident") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One incident with its timeline",
      responses: { 200: answer("incident") },
      handle: ({ params: { id } }) => service.detail(id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change an incident; what is left out stays as it is",
      body: taken("incidentEdit"),
      responses: { 200: answer("incident") },
      handle: ({ params: { id }, body }) => service.edit(id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete an incident; the alerts that led to it open no other",
      responses: { 204: answer("incident") },
      handle: ({ params: { id } }) => service.remove(id),
    }),
    route({
      ...one,
      path: `${one.path}/updates`,
      method: "POST",
      summary: "Add an update; on a resolved incident any status but `resolved` opens it again",
      body: taken("updateBody"),
      errors: ["conflict"],
      responses: { 201: answer("incident") },
      handle: async ({ params: { id }, body }) => new Answer(201, await service.addUpdate(id, body)),
    }),
    route({
      ...update,
      method: "PUT",
      summary: "Correct the message of an update",
      body: taken("updateEdit"),
      responses: { 200: answer("incident") },
      handle: ({ params: { id, update_id: updateId }, body }) => service.editUpdate(id, updateId, body.message),
    }),
    route({
      ...update,
      method: "DELETE",
      summary: "Delete an update, unless it is the only one; the incident is then what the one before says",
      errors: ["conflict"],
      responses: { 204: answer("incident") },
      handle: ({ params: { id, update_id: updateId } }) => service.removeUpdate(id, updateId),
    }),
  ];
}
