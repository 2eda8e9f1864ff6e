import { Answer, route, type Route } from "../../http/route.ts";
import {
  containerDetail,
  containerList,
  containerLogs,
  containerParams,
  dailyUptime,
  generationList,
  generationQuery,
  listQuery,
  logQuery,
  logStreamQuery,
  transitionList,
  transitionQuery,
  uptimeQuery,
} from "./api.ts";
import { streamLogs } from "./log-stream.ts";
import type { ContainerService } from "./service.ts";

const tag = "Containers";
const access = "admin";
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export function containerRoutes(service: ContainerService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/containers",
      summary: "List containers with their groups",
      tag,
      access,
      query: listQuery,
      errors: ["unusable_values"],
      leadsTo: { "/api/v1/security/insights/{container_id}": "id" },
      responses: { 200: containerList },
      handle: async ({ query }) => new Answer(200, await service.list(query), JSON_TYPE),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}",
      summary: "One container with its uptime statistics",
      tag,
      access,
      params: containerParams,
      responses: { 200: containerDetail },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/transitions",
      summary: "A container's history of states and health, newest first",
      tag,
      access,
      params: containerParams,
      query: transitionQuery,
      responses: { 200: transitionList },
      handle: ({ params, query }) => service.transitions(params.id, query),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/generations",
      summary: "The containers that there have been in a container's place, newest first",
      tag,
      access,
      params: containerParams,
      query: generationQuery,
      responses: { 200: generationList },
      handle: ({ params, query }) => service.generations(params.id, query),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/uptime/daily",
      summary: "A container's uptime by day, newest first",
      tag,
      access,
      params: containerParams,
      query: uptimeQuery,
      responses: { 200: dailyUptime },
      handle: ({ params, query }) => service.dailyUptime(params.id, query.days),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/logs",
      summary: "The last lines of a container's log",
      tag,
      access,
      params: containerParams,
      query: logQuery,
      errors: ["runtime_unavailable", "agent_offline", "agent_busy"],
      responses: { 200: containerLogs },
      handle: ({ params, query, signal }) => service.logs(params.id, query, signal),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/logs/stream",
      summary: "A container's log, live: events `log`, and a final `end`",
      tag,
      access,
      stream: true,
      params: containerParams,
      query: logStreamQuery,
      errors: ["runtime_unavailable", "agent_offline", "agent_busy"],
      responses: { 200: "text/event-stream" },
      handle: (request) => streamLogs(service, request.params.id, request),
    }),
  ];
}
