import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** What a container used around a moment. */
export function usageAroundQuery(id: number, at: string) {
  return queryOptions({
    queryKey: ["moment", at, "container", id],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/resources/around", { params: { id }, signal, query: { at } }),
    placeholderData: keepPreviousData,
  });
}

/** How fast an endpoint answered around a moment. */
export function responsesAroundQuery(id: number, at: string) {
  return queryOptions({
    queryKey: ["moment", at, "endpoint", id],
    queryFn: ({ signal }) => request("GET /api/v1/endpoints/{id}/response-times/around", { params: { id }, signal, query: { at } }),
    placeholderData: keepPreviousData,
  });
}

/** What the containers of a host used at a moment. */
export function momentUsageQuery(at: string, host: string) {
  return queryOptions({
    queryKey: ["moment", at, "usage", host],
    queryFn: ({ signal }) => request("GET /api/v1/overview/moment/usage", { signal, query: { at, agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

const MOST_CONTAINERS = 10_000;

/** How everything was at a moment. The past stays as it is, so no event makes it old. */
export function momentQuery(at: string, host: string | undefined) {
  return queryOptions({
    queryKey: ["moment", at, host],
    queryFn: ({ signal }) => request("GET /api/v1/overview/moment", { signal, query: { at, agent_id: host, limit: MOST_CONTAINERS } }),
    placeholderData: keepPreviousData,
  });
}
