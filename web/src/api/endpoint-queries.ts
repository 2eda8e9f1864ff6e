import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { KEPT_DAYS } from "../../../src/contract/retention.ts";
import type { Range } from "../../../src/contract/ranges.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import type { EndpointBody } from "../../../src/monitoring/endpoints/api.ts";
import type { CheckedNow, EndpointList, EndpointRecord } from "../../../src/monitoring/endpoints/answers.ts";
import { request } from "./client.ts";
import { timeAgo } from "./server-clock.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

/** How many checks are read at a time. */
const PAGE = 25;
const DAYS = 90;

/** What an endpoint is asked to do, as it is sent: what is left out takes its default. */
export type EndpointInput = { [Body in EndpointBody as Body["type"]]: Partial<Body> & Pick<Body, "type" | "target"> }[EndpointBody["type"]];

/** The endpoints of all hosts, or those whose label is gone: filters are applied to them here. */
export function endpointsQuery({ inactive = false }: { inactive?: boolean } = {}) {
  const query = { inactive: inactive || undefined };
  const join = (list: EndpointList, next: EndpointList): EndpointList => ({ ...next, endpoints: [...list.endpoints, ...next.endpoints] });
  return queryOptions({
    queryKey: ["endpoints", { inactive }],
    meta: WHOLE_LIST,
    queryFn: ({ client, queryKey, signal }) =>
      readWholeList({
        client,
        queryKey,
        join,
        read: (cursor) => request("GET /api/v1/endpoints", { query: { ...query, cursor }, signal }),
      }),
  });
}

/** The last response times of all endpoints. */
export const endpointSparklinesQuery = queryOptions({
  queryKey: ["endpoint-sparklines"],
  queryFn: ({ signal }) => request("GET /api/v1/dashboard/sparklines", { signal }),
});

/** One endpoint with its uptime. Everything read about one has a key that begins with `["endpoint", id]`. */
export function endpointQuery(id: number) {
  return queryOptions({
    queryKey: ["endpoint", id, "detail"],
    queryFn: ({ signal }) => request("GET /api/v1/endpoints/{id}", { params: { id }, signal }),
  });
}

/** All its checks that are kept, newest first, page by page. */
export function checksQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["endpoint", id, "checks"],
    queryFn: ({ signal, pageParam }) =>
      request("GET /api/v1/endpoints/{id}/checks", {
        params: { id },
        signal,
        query: { since: timeAgo(KEPT_DAYS.endpointChecks * DAY_MS), limit: PAGE, ...pageParam },
      }),
    initialPageParam: {} as { until?: string },
    // By time and not by place: while one reads, new checks come in before.
    getNextPageParam: (last) => {
      const oldest = last.checks.at(-1);
      return last.has_more && oldest !== undefined ? { until: justBefore(oldest.timestamp) } : undefined;
    },
  });
}

function justBefore(timestamp: string): string {
  return new Date(Date.parse(timestamp) - 1).toISOString();
}

/** Its uptime day by day, newest first. */
export function endpointUptimeQuery(id: number) {
  return queryOptions({
    queryKey: ["endpoint", id, "uptime", DAYS],
    queryFn: ({ signal }) => request("GET /api/v1/endpoints/{id}/uptime/daily", { params: { id }, signal, query: { days: DAYS } }),
    staleTime: 10 * MINUTE_MS,
  });
}

/** How fast it answered. Checks make it grow. */
export function responseTimesQuery(id: number, range: Range) {
  return queryOptions({
    queryKey: ["endpoint", id, "response-times", range],
    queryFn: ({ signal }) => request("GET /api/v1/endpoints/{id}/response-times", { params: { id }, signal, query: { range } }),
    structuralSharing: false,
  });
}

export function createEndpoint(body: EndpointInput): Promise<EndpointRecord> {
  return request("POST /api/v1/endpoints", { body });
}

/** A masked value of `target` or `headers` keeps what it stands for. */
export function updateEndpoint(id: number, body: EndpointInput): Promise<EndpointRecord> {
  return request("PUT /api/v1/endpoints/{id}", { params: { id }, body });
}

export function setEndpointPaused(id: number, isPaused: boolean): Promise<EndpointRecord> {
  return request(isPaused ? "POST /api/v1/endpoints/{id}/pause" : "POST /api/v1/endpoints/{id}/resume", {
    params: { id },
    keepalive: true,
  });
}

/** Checks it out of turn; resolves with the result. */
export function checkEndpointNow(id: number): Promise<CheckedNow> {
  return request("POST /api/v1/endpoints/{id}/check", { params: { id } });
}

/** Deletes it with its history. */
export function deleteEndpoint(id: number): Promise<void> {
  return request("DELETE /api/v1/endpoints/{id}", { params: { id }, keepalive: true });
}
