import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { HeartbeatService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/heartbeats", tag: "Heartbeats", access: "admin" } as const;
/** The addresses that its job calls. */
const leadsTo = { "/ping/{uuid}": "uuid", "/ping/{uuid}/start": "uuid", "/ping/{uuid}/fail": "uuid", "/ping/{uuid}/log": "uuid" } as const;
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export function heartbeatRoutes(service: HeartbeatService): Route[] {
  const one = { ...all, path: "/api/v1/heartbeats/{id}", params: taken("heartbeatParams") };
  const below = (path: string): typeof one => ({ ...one, path: `${one.path}/${path}` });
  return [
    route({
      ...all,
      method: "GET",
      summary: "List heartbeats, by name",
      query: taken("listQuery"),
      leadsTo,
      errors: ["unusable_values"],
      responses: { 200: answer("heartbeatList") },
      handle: ({ query }) => new Answer(200, service.list(query), JSON_TYPE),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Create a heartbeat",
      body: taken("createBody"),
      leadsTo,
      responses: { 201: answer("heartbeat") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...all,
      path: "/api/v1/heartbeats:bulk",
      method: "PUT",
      summary: "Create or change many heartbeats by the caller's keys: all of them, or none",
      bulk: { list: "heartbeats" },
      body: taken("heartbeatBulkBody"),
      responses: { 200: answer("heartbeatBulkAnswer") },
      handle: ({ body }) => service.setUp(body.heartbeats),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One heartbeat, and how a job reports to it",
      responses: { 200: answer("heartbeatDetail") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change a heartbeat; what is left out stays as it is",
      body: taken("updateBody"),
      responses: { 200: answer("heartbeat") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete a heartbeat with its history",
      responses: { 204: answer("heartbeat") },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...below("pause"),
      method: "POST",
      summary: "Pause a heartbeat: its deadlines are not checked",
      responses: { 200: answer("heartbeat") },
      handle: ({ params }) => service.pause(params.id),
    }),
    route({
      ...below("resume"),
      method: "POST",
      summary: "Resume a heartbeat with a fresh deadline",
      responses: { 200: answer("heartbeat") },
      handle: ({ params }) => service.resume(params.id),
    }),
    route({
      ...below("executions"),
      method: "GET",
      summary: "The runs of its job, newest first",
      query: taken("pageQuery"),
      responses: { 200: answer("executionList") },
      handle: ({ params, query }) => service.executions(params.id, query),
    }),
    route({
      ...below("pings"),
      method: "GET",
      summary: "Its pings as they came, newest first",
      query: taken("pageQuery"),
      responses: { 200: answer("pingList") },
      handle: ({ params, query }) => service.pings(params.id, query),
    }),
    route({
      ...below("uptime/daily"),
      method: "GET",
      summary: "Its uptime by day, newest first",
      query: taken("uptimeQuery"),
      responses: { 200: answer("dailyUptime") },
      handle: ({ params, query }) => service.dailyUptime(params.id, query.days),
    }),
  ];
}
