import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Decisions } from "./decisions.ts";
import type { UpdateService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const updates = { tag: "Updates", access: "admin" } as const;
const ROOT = "/api/v1/updates";

export function updateRoutes(service: UpdateService): Route[] {
  return [
    route({
      ...updates,
      path: ROOT,
      method: "GET",
      summary: "The update status of containers, available updates first",
      query: taken("updateQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("updateList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      ...updates,
      path: `${ROOT}/summary`,
      method: "GET",
      summary: "Count updates, with the last and the next scan",
      query: taken("summaryQuery"),
      responses: { 200: answer("updateSummary") },
      handle: ({ query }) => service.summary(query.agent_id),
    }),
    route({
      ...updates,
      path: `${ROOT}/scan`,
      method: "POST",
      summary: "Start a scan for newer images",
      errors: ["scan_in_progress"],
      responses: { 202: answer("scanStarted") },
      handle: async () => new Answer(202, await service.beginScan()),
    }),
    route({
      ...updates,
      path: `${ROOT}/scan/{scan_id}`,
      method: "GET",
      summary: "The progress or the result of a scan",
      params: taken("scanParams"),
      responses: { 200: answer("scan") },
      handle: ({ params }) => service.scan(params.scan_id),
    }),
    route({
      ...updates,
      path: `${ROOT}/dry-run`,
      method: "GET",
      summary: "Preview which images a scan would check, and which not and why",
      responses: { 200: answer("dryRun") },
      handle: () => service.dryRun(),
    }),
    route({
      ...updates,
      path: `${ROOT}/container/{container_id}`,
      method: "GET",
      summary: "The update of one container with all details",
      params: taken("updateParams"),
      responses: { 200: answer("update") },
      handle: ({ params }) => service.ofContainer(params.container_id),
    }),
  ];
}

export function decisionRoutes(decisions: Decisions): Route[] {
  return [
    route({
      ...updates,
      path: `${ROOT}/pin/{container_id}`,
      method: "POST",
      summary: "Keep a container at what it runs: newer images raise no alert. 200 when it was pinned already, with the new reason",
      params: taken("updateParams"),
      body: taken("pinBody"),
      responses: { 200: answer("pin"), 201: answer("pin") },
      async handle({ params, body }) {
        const { record, isNew } = await decisions.pin(params.container_id, body.reason);
        return new Answer(isNew ? 201 : 200, record);
      },
    }),
    route({
      ...updates,
      path: `${ROOT}/pin/{container_id}`,
      method: "DELETE",
      summary: "Remove a container's pin",
      params: taken("updateParams"),
      responses: { 204: answer("pin") },
      handle: ({ params }) => decisions.unpin(params.container_id),
    }),
    route({
      ...updates,
      path: `${ROOT}/exclusions`,
      method: "GET",
      summary: "List excluded images",
      responses: { 200: answer("exclusionList") },
      handle: () => decisions.exclusions(),
    }),
    route({
      ...updates,
      path: `${ROOT}/exclusions`,
      method: "POST",
      summary: "Exclude images by name; * stands for any text, ? for one character",
      body: taken("exclusionBody"),
      errors: ["conflict", "duplicate_name"],
      responses: { 201: answer("exclusion") },
      handle: async ({ body }) => new Answer(201, await decisions.exclude(body.image)),
    }),
    route({
      ...updates,
      path: `${ROOT}/exclusions/{id}`,
      method: "DELETE",
      summary: "Remove an exclusion",
      params: taken("exclusionParams"),
      responses: { 204: answer("exclusion") },
      handle: ({ params }) => decisions.include(params.id),
    }),
  ];
}
