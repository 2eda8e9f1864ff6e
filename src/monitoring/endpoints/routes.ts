import { MINUTE_MS } from "../../contract/time.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { EndpointService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const endpoints = { tag: "Endpoint checks", access: "admin" } as const;
const AROUND = { beforeMs: 30 * MINUTE_MS, afterMs: 30 * MINUTE_MS };

export function endpointRoutes(service: EndpointService): Route[] {
  return [...readingRoutes(service), ...changingRoutes(service)];
}

function readingRoutes(service: EndpointService): Route[] {
  return [
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints",
      summary: "All monitored endpoints",
      query: taken("listQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("endpointList") },
      handle: async ({ query }) => service.list(query),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints/{id}",
      summary: "One endpoint with its uptime",
      params: taken("endpointParams"),
      responses: { 200: answer("endpointDetail") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints/{id}/checks",
      summary: "An endpoint's checks, newest first",
      params: taken("endpointParams"),
      query: taken("checkQuery"),
      responses: { 200: answer("checkList") },
      handle: ({ params, query }) => service.checks(params.id, query),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints/{id}/uptime/daily",
      summary: "An endpoint's uptime by day, newest first",
      params: taken("endpointParams"),
      query: taken("uptimeQuery"),
      responses: { 200: answer("dailyUptime") },
      handle: ({ params, query }) => service.dailyUptime(params.id, query.days),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints/{id}/response-times",
      summary: "How fast an endpoint answered, over a range up to now",
      params: taken("endpointParams"),
      query: taken("responseTimesQuery"),
      responses: { 200: answer("responseTimes") },
      handle: ({ params, query }) => service.responseTimes(params.id, query.range),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/endpoints/{id}/response-times/around",
      summary: "How fast an endpoint answered around a moment",
      params: taken("endpointParams"),
      query: taken("responsesAroundQuery"),
      responses: { 200: answer("responseTimesAround") },
      handle: ({ params, query }) => service.responseTimesAround(params.id, { at: new Date(query.at), ...AROUND }),
    }),
    route({
      ...endpoints,
      method: "GET",
      path: "/api/v1/containers/{id}/endpoints",
      summary: "The endpoints of a container",
      params: taken("endpointParams"),
      responses: { 200: answer("containerEndpoints") },
      handle: ({ params }) => service.ofContainer(params.id),
    }),
    route({
      ...endpoints,
      tag: "Dashboard",
      method: "GET",
      path: "/api/v1/dashboard/sparklines",
      summary: "The last response times of all endpoints",
      query: taken("sparklinesQuery"),
      responses: { 200: answer("sparklines") },
      handle: async ({ query }) => service.sparklines(query.agent_id),
    }),
  ];
}

function changingRoutes(service: EndpointService): Route[] {
  return [
    route({
      ...endpoints,
      method: "POST",
      path: "/api/v1/endpoints",
      summary: "Create a standalone endpoint",
      body: taken("endpointBody"),
      responses: { 201: answer("endpoint") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...endpoints,
      method: "PUT",
      path: "/api/v1/endpoints:bulk",
      summary: "Create or change many standalone endpoints by the caller's keys: all of them, or none",
      bulk: { list: "endpoints" },
      body: taken("endpointBulkBody"),
      responses: { 200: answer("endpointBulkAnswer") },
      handle: ({ body }) => service.setUp(body.endpoints),
    }),
    route({
      ...endpoints,
      method: "PUT",
      path: "/api/v1/endpoints/{id}",
      summary: "Change a standalone endpoint; a masked value keeps what it stands for",
      params: taken("endpointParams"),
      body: taken("endpointBody"),
      errors: ["conflict"],
      responses: { 200: answer("endpoint") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...endpoints,
      method: "DELETE",
      path: "/api/v1/endpoints/{id}",
      summary: "Delete a standalone endpoint with its history",
      params: taken("endpointParams"),
      errors: ["conflict"],
      responses: { 204: "application/json" },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...endpoints,
      method: "POST",
      path: "/api/v1/endpoints/{id}/pause",
      summary: "Pause an endpoint",
      params: taken("endpointParams"),
      responses: { 200: answer("endpoint") },
      handle: ({ params }) => service.setPaused(params.id, true),
    }),
    route({
      ...endpoints,
      method: "POST",
      path: "/api/v1/endpoints/{id}/resume",
      summary: "Resume an endpoint",
      params: taken("endpointParams"),
      responses: { 200: answer("endpoint") },
      handle: ({ params }) => service.setPaused(params.id, false),
    }),
    route({
      ...endpoints,
      method: "POST",
      path: "/api/v1/endpoints/{id}/check",
      summary: "Check an endpoint now",
      params: taken("endpointParams"),
      errors: ["conflict", "agent_offline", "request_timeout"],
      responses: { 200: answer("checkedNow") },
      handle: ({ params }) => service.checkNow(params.id),
    }),
  ];
}
