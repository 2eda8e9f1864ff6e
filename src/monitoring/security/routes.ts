import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Acknowledgments } from "./acknowledgments.ts";
import type { Postures } from "./postures.ts";
import type { InsightService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const security = { tag: "Security", access: "admin" } as const;
const scored = { ...security, capability: "security_posture" } as const;
const acknowledgments = { ...security, path: "/api/v1/security/acknowledgments" } as const;

export function insightRoutes(service: InsightService): Route[] {
  return [
    route({
      ...security,
      path: "/api/v1/security/insights",
      method: "GET",
      summary: "List the findings of running containers, worst first",
      query: taken("insightQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("insightList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...security,
      path: "/api/v1/security/insights/{container_id}",
      method: "GET",
      summary: "List the findings of one container",
      params: taken("insightParams"),
      responses: { 200: answer("containerInsights") },
      handle: ({ params }) => service.ofContainer(params.container_id),
    }),
    route({
      ...security,
      path: "/api/v1/security/summary",
      method: "GET",
      summary: "Count findings by severity and kind",
      query: taken("agentQuery"),
      responses: { 200: answer("summary") },
      handle: ({ query }) => service.summary(query.agent_id),
    }),
  ];
}

export function postureRoutes(service: Postures): Route[] {
  return [
    route({
      ...scored,
      path: "/api/v1/security/posture",
      method: "GET",
      summary: "The security posture: a score from 0 to 100, its parts, and what to do next",
      query: taken("postureQuery"),
      responses: { 200: answer("posture") },
      handle: ({ query }) => service.overall(query),
    }),
    route({
      ...scored,
      path: "/api/v1/security/posture/containers",
      method: "GET",
      summary: "The score of each container, the worst first",
      query: taken("containerPostureQuery"),
      responses: { 200: answer("containerPostureList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...scored,
      path: "/api/v1/security/posture/containers/{id}",
      method: "GET",
      summary: "The score of one container, and what to do next",
      params: taken("containerPostureParams"),
      responses: { 200: answer("containerPostureDetail") },
      handle: ({ params }) => service.ofContainer(params.id),
    }),
  ];
}

export function acknowledgmentRoutes(service: Acknowledgments): Route[] {
  return [
    route({
      ...acknowledgments,
      method: "POST",
      summary: "Acknowledge a finding: it stays visible, and does not count any more",
      body: taken("acknowledgmentBody"),
      errors: ["not_found", "already_acknowledged", "conflict"],
      responses: { 201: answer("acknowledgment") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...acknowledgments,
      path: `${acknowledgments.path}:bulk`,
      method: "POST",
      summary: "Acknowledge many findings in one name and for one reason; those that are gone or acknowledged already are skipped",
      body: taken("acknowledgmentBulkBody"),
      errors: ["conflict"],
      responses: { 200: answer("acknowledgmentBulk") },
      handle: ({ body }) => service.createMany(body),
    }),
    route({
      ...acknowledgments,
      method: "GET",
      summary: "List acknowledgments, the latest first",
      query: taken("acknowledgmentQuery"),
      responses: { 200: answer("acknowledgmentList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...acknowledgments,
      path: `${acknowledgments.path}/{id}`,
      method: "DELETE",
      summary: "Revoke an acknowledgment: the finding counts again",
      params: taken("acknowledgmentParams"),
      responses: { 204: answer("acknowledgment") },
      handle: ({ params }) => service.revoke(params.id),
    }),
  ];
}
