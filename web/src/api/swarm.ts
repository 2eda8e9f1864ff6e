import { queryOptions } from "@tanstack/react-query";
import type { NodeList, ServiceDetail, ServiceList, ServiceLogs } from "../../../src/monitoring/swarm/api.ts";
import { getJson, isApiError } from "./client.ts";

const SWARM = "/api/v1/swarm";

/** Whether to try again: that there is no swarm is an answer. */
function retry(count: number, error: Error): boolean {
  return !isApiError(error, "conflict") && !isApiError(error, "not_found") && count < 3;
}

/** All services, by group. Everything read of swarms has a key that begins with `["swarm"]`. Without a swarm it is refused with `conflict`. */
export const swarmServicesQuery = queryOptions({
  queryKey: ["swarm", "services"],
  queryFn: ({ signal }) => getJson<ServiceList>(`${SWARM}/services`, { signal }),
  retry,
});

export function swarmServiceQuery(id: string) {
  return queryOptions({
    queryKey: ["swarm", "services", id],
    queryFn: ({ signal }) => getJson<ServiceDetail>(`${SWARM}/services/${id}`, { signal }),
    retry,
  });
}

/** Not of the key that events read again: a log is read when it is asked for. */
export function swarmLogsQuery(id: string, filter: { lines: number; search: string | undefined }) {
  return queryOptions({
    queryKey: ["swarm-logs", id, filter],
    queryFn: ({ signal }) => getJson<ServiceLogs>(`${SWARM}/services/${id}/logs`, { signal, parameters: { ...filter } }),
    retry,
  });
}

export const swarmNodesQuery = queryOptions({
  queryKey: ["swarm", "nodes"],
  queryFn: ({ signal }) => getJson<NodeList>(`${SWARM}/nodes`, { signal }),
  retry,
});
