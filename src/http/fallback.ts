import type { FastifyReply, FastifyRequest } from "fastify";
import { isProgramPath } from "../contract/program-paths.ts";
import { ERROR_TABLE, type ErrorCode, ServiceError } from "../platform/errors.ts";
import type { AdminAccess } from "./admin-access.ts";
import { pathOf, type Cors } from "./admission.ts";
import type { MethodTable } from "./methods.ts";
import { renderNotice } from "./page.ts";
import { Answer } from "./route.ts";
import type { Site } from "./site.ts";

/** The answer to a request that has no route; throws what is refused. It may set headers of the reply, but does not send it. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>;

/** Answers requests that have no route: OPTIONS, other methods of known paths, and the web app's files. Throws `not_found` for the rest. */
export function createFallback({
  methods: table,
  site,
  cors,
  adminAccess,
}: {
  methods: MethodTable;
  site: Site;
  cors: Cors;
  adminAccess: AdminAccess | undefined;
}): Fallback {
  return async (request, reply) => {
    const path = pathOf(request);
    const methods = table.of(path);
    if (methods.length > 0) {
      reply.header("allow", methods.join(", "));
      if (request.method === "OPTIONS") return new Answer(204, undefined, cors.preflight(request.headers, methods));
      throw new ServiceError("method_not_allowed", `${path} takes ${methods.join(", ")}.`);
    }
    const isReading = request.method === "GET" || request.method === "HEAD";
    const file = isReading ? site.find(path, request.headers) : undefined;
    if (file === undefined) throw new ServiceError("not_found", "There is nothing at this address.");
    if (file.guarded && adminAccess !== undefined && adminAccess.callerOf(request) === undefined) {
      if (!file.isPage) throw new ServiceError("unauthorized", "This needs the admin token: log in at /login.");
      const location = `/login?next=${encodeURIComponent(request.url)}`;
      return new Answer(303, undefined, { location, "cache-control": "no-store" });
    }
    const answer = await file.answer(request.headers);
    const vary = [reply.getHeader("vary"), answer.headers["vary"]].filter((value) => value !== undefined).join(", ");
    return vary === "" ? answer : new Answer(answer.status, answer.body, { ...answer.headers, vary });
  };
}

/** Refuses every request: browsers that navigate get a page, all others the error. */
export function refuseAll(code: ErrorCode, notice: () => { title: string; sentence: string }): Fallback {
  return async ({ url, headers }) => {
    const { title, sentence } = notice();
    const isNavigation = headers.accept?.includes("text/html") === true && !isProgramPath(pathOf({ url }));
    if (!isNavigation) throw new ServiceError(code, sentence);
    return new Answer(ERROR_TABLE[code].http, renderNotice({ title, sentence }), {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      refresh: "5",
    });
  };
}
