import { answersOf } from "../../http/answers.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import { containerParams, historyQuery, sparklinesQuery, summaryQuery, thresholdListQuery, thresholdsBody, topQuery } from "./api.ts";
import type { ResourceService } from "./service.ts";

const answer = answersOf(() => import("./answers.ts"));

const tag = "Resources";
const access = "admin";
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export function resourceRoutes(service: ResourceService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/resources/current",
      summary: "What a container uses now",
      tag,
      access,
      params: containerParams,
      responses: { 200: answer("snapshot") },
      handle: ({ params }) => service.current(params.id),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/resources/history",
      summary: "What a container used, over a range up to now",
      tag,
      access,
      params: containerParams,
      query: historyQuery,
      responses: { 200: answer("history") },
      handle: ({ params, query }) => service.history(params.id, query.range),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/resources/alerts",
      summary: "A container's thresholds, and whether they are exceeded",
      tag,
      access,
      params: containerParams,
      responses: { 200: answer("thresholds") },
      handle: ({ params }) => service.thresholds(params.id),
    }),
    route({
      method: "PUT",
      path: "/api/v1/containers/{id}/resources/alerts",
      summary: "Set a container's thresholds",
      tag,
      access,
      params: containerParams,
      body: thresholdsBody,
      errors: ["conflict"],
      responses: { 200: answer("thresholds") },
      handle: ({ params, body }) => service.setThresholds(params.id, body),
    }),
    route({
      method: "GET",
      path: "/api/v1/resources/summary",
      summary: "One host with the sums of its containers",
      tag,
      access,
      query: summaryQuery,
      errors: ["not_found"],
      responses: { 200: answer("summary") },
      handle: async ({ query }) => service.summary(hostOf(query.agent_id) ?? null),
    }),
    route({
      method: "GET",
      path: "/api/v1/resources/top",
      summary: "The containers that use the most CPU or memory",
      tag,
      access,
      query: topQuery,
      responses: { 200: answer("top") },
      handle: async ({ query: { sort, limit, agent_id } }) => service.top({ sort, limit, agentId: hostOf(agent_id) }),
    }),
    route({
      method: "GET",
      path: "/api/v1/resources/hosts",
      summary: "Every host, with what it uses now",
      tag,
      access,
      responses: { 200: answer("hosts") },
      handle: async () => service.hosts(),
    }),
    route({
      method: "GET",
      path: "/api/v1/resources/thresholds",
      summary: "The thresholds that are set, and whether they are exceeded",
      tag,
      access,
      query: thresholdListQuery,
      responses: { 200: answer("thresholdList") },
      handle: async ({ query }) => service.thresholdList(hostOf(query.agent_id)),
    }),
    route({
      method: "GET",
      path: "/api/v1/resources/sparklines",
      summary: "The last hour of all containers in few points",
      tag,
      access,
      query: sparklinesQuery,
      responses: { 200: answer("sparklines") },
      handle: async ({ query }) => new Answer(200, service.sparklines(hostOf(query.agent_id)), JSON_TYPE),
    }),
  ];
}

/** undefined: not asked for one. */
function hostOf(asked: string | undefined): string | null | undefined {
  return asked === "local" ? null : asked;
}
