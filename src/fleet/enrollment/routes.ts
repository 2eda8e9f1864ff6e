import type { IncomingHttpHeaders } from "node:http";
import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { PublicUrl } from "./public-url.ts";
import type { EnrollmentService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

/** The parts of a request that show by which address this server was reached. */
export interface AskedBy {
  headers: IncomingHttpHeaders;
  /** The peer of the connection, before any header is applied. */
  peerAddress: string;
}

const tokens = { tag: "Agents", access: "admin", capability: "agents", path: "/api/v1/agents/enrollment-tokens" } as const;
const one = { ...tokens, path: `${tokens.path}/{id}`, params: taken("tokenParams") } as const;

export function enrollmentRoutes(service: EnrollmentService, urlFor: (request: AskedBy) => PublicUrl): Route[] {
  return [
    route({
      ...tokens,
      method: "POST",
      summary: "Create an enrollment token, with the commands to install the agent",
      body: taken("tokenBody"),
      errors: ["conflict"],
      responses: { 201: answer("createdToken") },
      handle: async (request) => new Answer(201, await service.create(request.body, urlFor(request)), { "cache-control": "no-store" }),
    }),
    route({
      ...tokens,
      method: "GET",
      summary: "List enrollment tokens, the latest first",
      query: taken("tokenQuery"),
      responses: { 200: answer("tokenList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One enrollment token",
      responses: { 200: answer("enrollmentToken") },
      handle: ({ params }) => service.get(params.id),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete an enrollment token; agents that enrolled with it stay",
      responses: { 204: answer("enrollmentToken") },
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
