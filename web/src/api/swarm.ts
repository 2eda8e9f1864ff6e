import { queryOptions } from "@tanstack/react-query";
import { isApiError, request } from "./client.ts";

/** Whether to try again: that there is no swarm is an answer. */
function retry(count: number, error: Error): boolean {
  return !isApiError(error, "conflict") && !isApiError(error, "not_found") && count < 3;
}

/** All services, by group. Everything read of swarms has a key that begins with `["swarm"]`. Without a swarm it is refused with `conflict`. */
export const swarmServicesQuery = queryOptions({
  queryKey: ["swarm", "services"],
  queryFn: ({ signal }) => request("GET /api/v1/swarm/services", { signal }),
  retry,
});

export function swarmServiceQuery(id: string) {
  return queryOptions({
    queryKey: ["swarm", "services", id],
    queryFn: ({ signal }) => request("GET /api/v1/swarm/services/{id}", { params: { id }, signal }),
    retry,
  });
}

/** Not of the key that events read again: a log is read when it is asked for. */
export function swarmLogsQuery(id: string, filter: { lines: number; search: string | undefined }) {
  return queryOptions({
    queryKey: ["swarm-logs", id, filter],
    queryFn: ({ signal }) => request("GET /api/v1/swarm/services/{id}/logs", { params: { id }, signal, query: { ...filter } }),
    retry,
  });
}

export const swarmNodesQuery = queryOptions({
  queryKey: ["swarm", "nodes"],
  queryFn: ({ signal }) => request("GET /api/v1/swarm/nodes", { signal }),
  retry,
});
