import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route, type RouteRequest } from "../../http/route.ts";
import type { LinesOmitted, LogStreamEnd } from "./api.ts";
import type { ContainerService } from "./service.ts";
import { isServiceError } from "../../platform/errors.ts";
import { openEventStream } from "../../http/sse.ts";
import { type Container, isAlive } from "./container.ts";
import { logLineRecords } from "./records.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

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
      query: taken("listQuery"),
      errors: ["unusable_values"],
      leadsTo: { "/api/v1/security/insights/{container_id}": "id" },
      responses: { 200: answer("containerList") },
      handle: async ({ query }) => new Answer(200, await service.list(query), JSON_TYPE),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}",
      summary: "One container with its uptime statistics",
      tag,
      access,
      params: taken("containerParams"),
      responses: { 200: answer("containerDetail") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/transitions",
      summary: "A container's history of states and health, newest first",
      tag,
      access,
      params: taken("containerParams"),
      query: taken("transitionQuery"),
      responses: { 200: answer("transitionList") },
      handle: ({ params, query }) => service.transitions(params.id, query),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/generations",
      summary: "The generations of a container, newest first",
      tag,
      access,
      params: taken("containerParams"),
      query: taken("generationQuery"),
      responses: { 200: answer("generationList") },
      handle: ({ params, query }) => service.generations(params.id, query),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/uptime/daily",
      summary: "A container's uptime by day, newest first",
      tag,
      access,
      params: taken("containerParams"),
      query: taken("uptimeQuery"),
      responses: { 200: answer("dailyUptime") },
      handle: ({ params, query }) => service.dailyUptime(params.id, query.days),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/logs",
      summary: "The last lines of a container's log",
      tag,
      access,
      params: taken("containerParams"),
      query: taken("logQuery"),
      errors: ["runtime_unavailable", "agent_offline", "agent_busy"],
      responses: { 200: answer("containerLogs") },
      handle: ({ params, query, signal }) => service.logs(params.id, query, signal),
    }),
    route({
      method: "GET",
      path: "/api/v1/containers/{id}/logs/stream",
      summary: "A container's log, live: events `log`, `omitted`, and a final `end`",
      tag,
      access,
      stream: true,
      params: taken("containerParams"),
      query: taken("logStreamQuery"),
      errors: ["runtime_unavailable", "agent_offline", "agent_busy"],
      responses: { 200: "text/event-stream" },
      handle: (request) => streamLogs(service, request.params.id, request),
    }),
  ];
}

type Query = { lines: number; since?: string | undefined; timestamps: boolean; previous: boolean };

/** Answers with a container's log: `log` a line, `omitted` where lines came faster than they can be read, and a final `end` that says why it ended. */
async function streamLogs(service: ContainerService, id: number, { query, log }: RouteRequest<unknown, Query, unknown>): Promise<Answer> {
  const container = await service.find(id);
  return openEventStream(
    async (stream) => {
      let end: LogStreamEnd;
      try {
        for await (const { items, dropped } of service.followLogs(container, query, stream.signal)) {
          if (dropped > 0) await stream.send({ event: "omitted", data: { lines: dropped } satisfies LinesOmitted });
          await stream.sendAll(logLineRecords(items, query.timestamps).map((data) => ({ event: "log", data })));
        }
        end = query.previous ? { reason: "container_stopped", message: null } : endOf(await service.afterLog(id));
      } catch (error) {
        if (!isServiceError(error)) log.error({ err: error, container: id }, "log stream failed");
        end = endByFailure(error);
      }
      if (!stream.signal.aborted) await stream.send({ event: "end", data: end });
    },
    { isLog: true, farewell: { event: "end", data: { reason: "slow_client", message: null } satisfies LogStreamEnd } },
  );
}

/** The runtime closed the log: the container ended, is gone, or the runtime went away. */
function endOf({ state, archivedAt }: Container): LogStreamEnd {
  if (archivedAt !== null) return { reason: "container_removed", message: null };
  return { reason: isAlive(state) ? "runtime_lost" : "container_stopped", message: null };
}

function endByFailure(error: unknown): LogStreamEnd {
  if (!isServiceError(error)) return { reason: "unreadable", message: "The log could not be read." };
  if (error.code === "runtime_unavailable") return { reason: "runtime_lost", message: error.message };
  return { reason: error.code === "not_found" ? "container_removed" : "unreadable", message: error.message };
}
