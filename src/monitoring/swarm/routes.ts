import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route, type RouteRequest } from "../../http/route.ts";
import type { ServiceLogStreamEnd, ServiceLogStreamQuery } from "./api.ts";
import type { SwarmService } from "./service.ts";
import { openEventStream } from "../../http/sse.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

const swarm = { method: "GET", tag: "Swarm", access: "admin" } as const;

export function swarmRoutes(service: SwarmService): Route[] {
  return [
    route({
      ...swarm,
      path: "/api/v1/swarm/services",
      summary: "List the services of swarms, by group and name",
      query: taken("serviceQuery"),
      errors: ["conflict", "unusable_values"],
      responses: { 200: answer("serviceList") },
      handle: ({ query }) => new Answer(200, service.servicesBody(query), JSON_TYPE),
    }),
    route({
      ...swarm,
      path: "/api/v1/swarm/services/{id}",
      summary: "One service with its tasks, and those that its slots had before",
      params: taken("serviceParams"),
      errors: ["conflict"],
      responses: { 200: answer("serviceDetail") },
      handle: ({ params }) => service.service(params.id),
    }),
    route({
      ...swarm,
      path: "/api/v1/swarm/services/{id}/logs",
      summary: "The last lines of all tasks of a service, in the order of time",
      params: taken("serviceParams"),
      query: taken("serviceLogQuery"),
      errors: ["conflict"],
      responses: { 200: answer("serviceLogs") },
      handle: ({ params, query, signal }) => service.logs(params.id, query, signal),
    }),
    route({
      ...swarm,
      path: "/api/v1/swarm/services/{id}/logs/stream",
      summary: "The log of all tasks of a service, live: events `log` and `unseen`, and a final `end`",
      stream: true,
      params: taken("serviceParams"),
      query: taken("serviceLogStreamQuery"),
      errors: ["conflict"],
      responses: { 200: "text/event-stream" },
      handle: (request) => streamServiceLogs(service, request.params.id, request),
    }),
    route({
      ...swarm,
      path: "/api/v1/swarm/tasks",
      summary: "List the tasks of swarms, by name",
      query: taken("taskQuery"),
      errors: ["conflict", "unusable_values"],
      responses: { 200: answer("taskList") },
      handle: ({ query }) => service.tasks(query),
    }),
    route({
      ...swarm,
      path: "/api/v1/swarm/nodes",
      summary: "List the nodes of swarms",
      query: taken("nodeQuery"),
      errors: ["conflict", "unusable_values"],
      responses: { 200: answer("nodeList") },
      handle: ({ query }) => service.nodes(query),
    }),
  ];
}

/** Answers with the log of all tasks of a service: `log` a line, `unseen` whenever other tasks are not in it, and a final `end`. */
function streamServiceLogs(
  service: SwarmService,
  id: string,
  { query, log }: RouteRequest<unknown, ServiceLogStreamQuery, unknown>,
): Answer {
  service.service(id);
  return openEventStream(
    async (stream) => {
      let end: ServiceLogStreamEnd;
      try {
        // Several tasks write to one reader, each in its turn.
        let turn = Promise.resolve();
        const send: Parameters<SwarmService["followLogs"]>[2] = (event) => (turn = turn.then(() => stream.send(event)));
        end = await service.followLogs(id, query, send, stream.signal);
      } catch (error) {
        log.error({ err: error, service: id }, "log stream of a service failed");
        end = { reason: "unreadable", message: "The log could not be read." };
      }
      if (!stream.signal.aborted) await stream.send({ event: "end", data: end });
    },
    { isLog: true, farewell: { event: "end", data: { reason: "slow_client", message: null } satisfies ServiceLogStreamEnd } },
  );
}
