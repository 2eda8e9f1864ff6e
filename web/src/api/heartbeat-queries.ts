import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  CreateBody,
  DailyUptime,
  ExecutionList,
  HeartbeatDetail,
  HeartbeatList,
  HeartbeatRecord,
  PingList,
  UpdateBody,
} from "../../../src/monitoring/heartbeats/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";
import { readWholeList } from "./whole-list.ts";

const HEARTBEATS = "/api/v1/heartbeats";
/** How many runs and pings are read at a time. */
const PAGE = 50;

/** All heartbeats, by name: one answer paints the page, filters are applied to it here. */
export const heartbeatsQuery = queryOptions({
  queryKey: ["heartbeats"],
  queryFn: ({ client, queryKey, signal }) =>
    readWholeList<HeartbeatList>(HEARTBEATS, {
      client,
      queryKey,
      signal,
      join: (list, next) => ({ ...next, heartbeats: [...list.heartbeats, ...next.heartbeats] }),
    }),
});

/** One heartbeat, and how a job reports to it. Everything read about one has a key that begins with `["heartbeat", id]`. */
export function heartbeatQuery(id: number) {
  return queryOptions({
    queryKey: ["heartbeat", id, "detail"],
    queryFn: ({ signal }) => getJson<HeartbeatDetail>(`${HEARTBEATS}/${id}`, { signal }),
  });
}

/** The runs of its job, newest first, page by page. */
export function executionsQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["heartbeat", id, "executions"],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<ExecutionList>(`${HEARTBEATS}/${id}/executions`, { signal, parameters: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
  });
}

/** Its pings as they came, newest first, page by page. */
export function pingsQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["heartbeat", id, "pings"],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<PingList>(`${HEARTBEATS}/${id}/pings`, { signal, parameters: { limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
  });
}

/** Its uptime day by day, newest first. */
export function heartbeatUptimeQuery(id: number, days = 90) {
  return queryOptions({
    queryKey: ["heartbeat", id, "uptime", days],
    queryFn: ({ signal }) => getJson<DailyUptime>(`${HEARTBEATS}/${id}/uptime/daily`, { signal, parameters: { days } }),
  });
}

export function createHeartbeat(body: CreateBody): Promise<HeartbeatRecord> {
  return postJson<HeartbeatRecord>(HEARTBEATS, body);
}

export function updateHeartbeat(id: number, body: UpdateBody): Promise<HeartbeatRecord> {
  return putJson<HeartbeatRecord>(`${HEARTBEATS}/${id}`, body);
}

/** Stops or begins again to check its deadlines. */
export function setHeartbeatPaused(id: number, isPaused: boolean): Promise<HeartbeatRecord> {
  return postJson<HeartbeatRecord>(`${HEARTBEATS}/${id}/${isPaused ? "pause" : "resume"}`);
}

/** Deletes it with its history. */
export function deleteHeartbeat(id: number): Promise<void> {
  return deleteJson(`${HEARTBEATS}/${id}`);
}
