import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";
import type { AgentService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const agents = { tag: "Agents", access: "admin", capability: "agents", path: "/api/v1/agents" } as const;
const one = { ...agents, path: `${agents.path}/{id}`, params: taken("agentParams") } as const;

export function agentRoutes(service: AgentService): Route[] {
  return [
    route({
      ...agents,
      method: "GET",
      summary: "Every agent, by label",
      responses: { 200: answer("agentList") },
      handle: () => service.list(),
    }),
    route({
      ...agents,
      path: `${agents.path}/metrics`,
      method: "GET",
      summary: "The event rates of agents, and what waits on them",
      responses: { 200: answer("agentMetrics") },
      handle: () => service.metrics(),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One agent",
      responses: { 200: answer("agent") },
      handle: ({ params }) => service.get(params.id),
    }),
    route({
      ...one,
      method: "PATCH",
      summary: "Give an agent another label",
      body: taken("agentBody"),
      responses: { 200: answer("agent") },
      handle: ({ params, body }) => service.rename(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete an agent with all data of its host; this cannot be undone",
      responses: { 204: answer("agent") },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/revoke`,
      method: "POST",
      summary: "Close an agent's stream and never let it in again",
      responses: { 200: answer("agent") },
      handle: ({ params }) => service.revoke(params.id),
    }),
  ];
}
