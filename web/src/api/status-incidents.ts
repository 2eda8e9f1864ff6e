import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { IncidentBody, IncidentEdit, UpdateBody } from "../../../src/publishing/status/incidents/api.ts";
import type { IncidentRecord } from "../../../src/publishing/status/incidents/answers.ts";
import { request } from "./client.ts";

/** How many incidents of the past are read at a time. */
const PAGE = 25;
/** As many as one answer has; hardly ever are so many open. */
const OPEN = 100;

/** The incidents that are open, the latest first. */
export const openIncidentsQuery = queryOptions({
  queryKey: ["status", "incidents", "open"],
  queryFn: ({ signal }) => request("GET /api/v1/status/incidents", { signal, query: { state: "open", limit: OPEN } }),
});

/** Those that are over, the latest first, page by page. */
export const pastIncidentsQuery = infiniteQueryOptions({
  queryKey: ["status", "incidents", "resolved"],
  queryFn: ({ signal, pageParam: offset }) =>
    request("GET /api/v1/status/incidents", { signal, query: { state: "resolved", limit: PAGE, offset } }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
});

/** One incident with its timeline. */
export function incidentQuery(id: number) {
  return queryOptions({
    queryKey: ["status", "incidents", id],
    queryFn: ({ signal }) => request("GET /api/v1/status/incidents/{id}", { params: { id }, signal }),
  });
}

export function createIncident(body: IncidentBody): Promise<IncidentRecord> {
  return request("POST /api/v1/status/incidents", { body });
}

/** What is left out stays as it is; nobody is notified. */
export function editIncident(id: number, body: IncidentEdit): Promise<IncidentRecord> {
  return request("PUT /api/v1/status/incidents/{id}", { params: { id }, body });
}

export function deleteIncident(id: number): Promise<void> {
  return request("DELETE /api/v1/status/incidents/{id}", { params: { id } });
}

/** Any status but `resolved` opens a resolved incident again. */
export async function addUpdate(id: number, body: UpdateBody): Promise<void> {
  await request("POST /api/v1/status/incidents/{id}/updates", { params: { id }, body });
}

export async function editUpdate(id: number, updateId: number, message: string): Promise<void> {
  await request("PUT /api/v1/status/incidents/{id}/updates/{update_id}", { params: { id, update_id: updateId }, body: { message } });
}

export function deleteUpdate(id: number, updateId: number): Promise<void> {
  return request("DELETE /api/v1/status/incidents/{id}/updates/{update_id}", { params: { id, update_id: updateId } });
}
