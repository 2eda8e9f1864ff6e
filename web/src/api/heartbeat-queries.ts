import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CreateBody, UpdateBody } from "../../../src/monitoring/heartbeats/api.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { request } from "./client.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

/** How many runs and pings are read at a time. */
const PAGE = 50;

/** All heartbeats, by name: one answer paints the page, filters are applied to it here. */
export const heartbeatsQuery = queryOptions({
  queryKey: ["heartbeats"],
  meta: WHOLE_LIST,
  queryFn: ({ client, queryKey, signal }) =>
    readWholeList({
      client,
      queryKey,
      read: (cursor) => request("GET /api/v1/heartbeats", { query: { cursor }, signal }),
      join: (list, next) => ({ ...next, heartbeats: [...list.heartbeats, ...next.heartbeats] }),
    }),
});

/** One heartbeat, and how a job reports to it. Everything read about one has a key that begins with `["heartbeat", id]`. */
export function heartbeatQuery(id: number) {
  return queryOptions({
    queryKey: ["heartbeat", id, "detail"],
    queryFn: ({ signal }) => request("GET /api/v1/heartbeats/{id}", { params: { id }, signal }),
  });
}

/** The runs of its job, newest first, page by page. */
export function executionsQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["heartbeat", id, "executions"],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/heartbeats/{id}/executions", { params: { id }, signal, query: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
  });
}

/** Its pings as they came, newest first, page by page. */
export function pingsQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["heartbeat", id, "pings"],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/heartbeats/{id}/pings", { params: { id }, signal, query: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
  });
}

/** Its uptime day by day, newest first. */
export function heartbeatUptimeQuery(id: number, days = 90) {
  return queryOptions({
    queryKey: ["heartbeat", id, "uptime", days],
    queryFn: ({ signal }) => request("GET /api/v1/heartbeats/{id}/uptime/daily", { params: { id }, signal, query: { days } }),
  });
}

export function createHeartbeat(body: CreateBody): Promise<HeartbeatRecord> {
  return request("POST /api/v1/heartbeats", { body });
}

export function updateHeartbeat(id: number, body: UpdateBody): Promise<HeartbeatRecord> {
  return request("PUT /api/v1/heartbeats/{id}", { params: { id }, body });
}

/** Stops or begins again to check its deadlines. */
export function setHeartbeatPaused(id: number, isPaused: boolean): Promise<HeartbeatRecord> {
  return request(isPaused ? "POST /api/v1/heartbeats/{id}/pause" : "POST /api/v1/heartbeats/{id}/resume", {
    params: { id },
    keepalive: true,
  });
}

/** Deletes it with its history. */
export function deleteHeartbeat(id: number): Promise<void> {
  return request("DELETE /api/v1/heartbeats/{id}", { params: { id }, keepalive: true });
}
