import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors.ts";
import type { AdminAccess } from "./admin-access.ts";
import { pathOf } from "./admission.ts";
import type { Cors } from "./cors.ts";
import { sendResult } from "./replies.ts";
import { Answer } from "./route.ts";
import type { Route } from "./route.ts";
import type { Site } from "./site.ts";

/** Answers what no route does: OPTIONS, other methods of known paths, the web app's files; throws `not_found` for the rest. */
export function createFallback({
  routes,
  site,
  cors,
  adminAccess,
}: {
  routes: readonly Route[];
  site: Site;
  cors: Cors;
  adminAccess: AdminAccess | undefined;
}): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  let methodsOf: ReturnType<typeof createMethodTable> | undefined;

  return async (request, reply) => {
    const path = pathOf(request);
    methodsOf ??= createMethodTable(routes);
    const methods = methodsOf(path);
    if (methods.length > 0) {
      reply.header("allow", methods.join(", "));
      if (request.method === "OPTIONS") return sendResult(reply, new Answer(204, undefined, cors.preflight(request.headers, methods)), "");
      throw new ServiceError("method_not_allowed", `${path} takes ${methods.join(", ")}.`);
    }
    const isReading = request.method === "GET" || request.method === "HEAD";
    const file = isReading ? site.find(path, request.headers) : undefined;
    if (file === undefined) throw new ServiceError("not_found", "There is nothing at this address.");
    if (file.guarded && adminAccess?.permits(request.headers) === false) {
      if (!file.isPage) throw new ServiceError("unauthorized", "This needs the admin token: log in at /login.");
      const location = `/login?next=${encodeURIComponent(request.url)}`;
      return sendResult(reply, new Answer(303, undefined, { location, "cache-control": "no-store" }), "");
    }
    const answer = await file.answer(request.headers);
    const vary = [reply.getHeader("vary"), answer.headers["vary"]].filter((value) => value !== undefined).join(", ");
    sendResult(reply, vary === "" ? answer : new Answer(answer.status, answer.body, { ...answer.headers, vary }), "");
  };
}

/** Which methods a path takes; none for an unknown path. */
function createMethodTable(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
  }));
  return (path) => [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}
