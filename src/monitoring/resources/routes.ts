import { MINUTE_MS } from "../../contract/time.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";
import type { Around } from "./answers.ts";
import type { UsageAround } from "./history.ts";
import { hostOf, type ResourceService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const resources = { tag: "Resources", access: "admin" } as const;

export function resourceRoutes(service: ResourceService): Route[] {
  return [
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/containers/{id}/resources/current",
      summary: "What a container uses now",
      params: taken("containerParams"),
      responses: { 200: answer("snapshot") },
      handle: ({ params }) => service.current(params.id),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/containers/{id}/resources/history",
      summary: "What a container used, over a range up to now",
      params: taken("containerParams"),
      query: taken("historyQuery"),
      responses: { 200: answer("history") },
      handle: ({ params, query }) => service.history(params.id, query.range),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/containers/{id}/resources/around",
      summary: "What a container used around a moment",
      params: taken("containerParams"),
      query: taken("aroundQuery"),
      responses: { 200: answer("around") },
      handle: async ({ params: { id }, query }) => aroundRecord(id, await service.around(id, { at: new Date(query.at), ...AROUND })),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/containers/{id}/resources/alerts",
      summary: "A container's thresholds, and whether they are exceeded",
      params: taken("containerParams"),
      responses: { 200: answer("thresholds") },
      handle: ({ params }) => service.thresholds(params.id),
    }),
    route({
      ...resources,
      method: "PUT",
      path: "/api/v1/containers/{id}/resources/alerts",
      summary: "Set a container's thresholds",
      params: taken("containerParams"),
      body: taken("thresholdsBody"),
      errors: ["conflict"],
      responses: { 200: answer("thresholds") },
      handle: ({ params, body }) => service.setThresholds(params.id, body),
    }),
    route({
      ...resources,
      method: "DELETE",
      path: "/api/v1/containers/{id}/resources/alerts",
      summary: "Remove a container's thresholds; those of its group or host then apply",
      params: taken("containerParams"),
      responses: { 200: answer("thresholds") },
      handle: ({ params }) => service.clearThresholds(params.id),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/resources/summary",
      summary: "One host with the sums of its containers",
      query: taken("summaryQuery"),
      errors: ["not_found"],
      responses: { 200: answer("summary") },
      handle: async ({ query }) => service.summary(hostOf(query.agent_id) ?? null),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/resources/top",
      summary: "The containers that use the most CPU or memory, or whose use has grown the most since yesterday",
      query: taken("topQuery"),
      responses: { 200: answer("top") },
      errors: ["EDITION_REQUIRED"],
      handle: ({ query: { sort, by, limit, agent_id } }) => service.top({ sort, by, limit, agentId: hostOf(agent_id) }),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/resources/hosts",
      summary: "Every host, with what it uses now",
      responses: { 200: answer("hosts") },
      handle: async () => service.hosts(),
    }),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/resources/thresholds",
      summary: "The thresholds that are set, and whether they are exceeded",
      query: taken("thresholdListQuery"),
      responses: { 200: answer("thresholdList") },
      handle: async ({ query }) => service.thresholdList(hostOf(query.agent_id)),
    }),
    ...scopeRoutes(service),
    route({
      ...resources,
      method: "GET",
      path: "/api/v1/resources/sparklines",
      summary: "The last hour of all containers in few points",
      query: taken("sparklinesQuery"),
      responses: { 200: answer("sparklines") },
      handle: async ({ query }) => service.sparklines(hostOf(query.agent_id)),
    }),
  ];
}

const AROUND = { beforeMs: 30 * MINUTE_MS, afterMs: 30 * MINUTE_MS };

function aroundRecord(id: number, { stepSeconds, points }: UsageAround): Around {
  return {
    container_id: id,
    step_seconds: stepSeconds,
    points: points.map(({ at, cpuPercent, memoryBytes, memoryLimitBytes }) => ({
      at: at.toISOString(),
      ...{ cpu_percent: cpuPercent, memory_bytes: memoryBytes, memory_limit_bytes: memoryLimitBytes },
    })),
  };
}

/** Thresholds for all containers of a group or a host. */
function scopeRoutes(service: ResourceService): Route[] {
  const one = { ...resources, path: "/api/v1/resources/thresholds/{entity_type}/{entity_id}", params: taken("scopeParams") } as const;
  return [
    route({
      ...one,
      method: "GET",
      summary: "The thresholds of a group or a host",
      responses: { 200: answer("scopeThresholds") },
      handle: async ({ params }) => service.scopeThresholds(params),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Set thresholds for all containers of a group or a host that have no own thresholds",
      body: taken("thresholdsBody"),
      errors: ["conflict"],
      responses: { 200: answer("scopeThresholds") },
      handle: ({ params, body }) => service.setScopeThresholds(params, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Remove the thresholds of a group or a host",
      responses: { 204: answer("scopeThresholds") },
      handle: ({ params }) => service.clearScopeThresholds(params),
    }),
  ];
}
