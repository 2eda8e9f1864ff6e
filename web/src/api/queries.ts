import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Health, RuntimeStatusRecord } from "../../../src/app/meta/api.ts";
import type { EditionView } from "../../../src/editions/api.ts";
import type { ContainerDetail, ContainerList, ContainerLogs, DailyUptime, TransitionList } from "../../../src/monitoring/containers/api.ts";
import { getJson } from "./client.ts";

const CONTAINERS = "/api/v1/containers";

/** The present containers of all hosts, or the removed ones: one answer paints the page, filters are applied to it here. */
export function containersQuery({ archived = false }: { archived?: boolean } = {}) {
  return queryOptions({
    queryKey: ["containers", { archived }],
    queryFn: ({ signal }) => getJson<ContainerList>(CONTAINERS, { signal, parameters: { archived: archived || undefined } }),
  });
}

/** One container with its uptime. Everything read about one has a key that begins with `["container", id]`. */
export function containerQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "detail"],
    queryFn: ({ signal }) => getJson<ContainerDetail>(`${CONTAINERS}/${id}`, { signal }),
  });
}

interface TransitionFilter {
  since?: string | undefined;
  until?: string | undefined;
  limit?: number;
}

/** Its transitions, newest first, page by page. */
export function transitionsQuery(id: number, filter: TransitionFilter = {}) {
  const limit = filter.limit ?? 100;
  return infiniteQueryOptions({
    queryKey: ["container", id, "transitions", filter],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<TransitionList>(`${CONTAINERS}/${id}/transitions`, { signal, parameters: { ...filter, limit, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * limit : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Its uptime day by day, newest first. */
export function dailyUptimeQuery(id: number, days = 90) {
  return queryOptions({
    queryKey: ["container", id, "uptime", days],
    queryFn: ({ signal }) => getJson<DailyUptime>(`${CONTAINERS}/${id}/uptime/daily`, { signal, parameters: { days } }),
  });
}

interface LogFilter {
  lines?: number;
  since?: string | undefined;
  search?: string | undefined;
}

/** The last lines of its log. Read anew whenever asked for, since a log has no event that says it grew. */
export function logsQuery(id: number, filter: LogFilter = {}) {
  return queryOptions({
    queryKey: ["container-logs", id, filter],
    queryFn: ({ signal }) => getJson<ContainerLogs>(`${CONTAINERS}/${id}/logs`, { signal, parameters: { ...filter } }),
    staleTime: 0,
  });
}

export const runtimeStatusQuery = queryOptions({
  queryKey: ["runtime-status"],
  queryFn: ({ signal }) => getJson<RuntimeStatusRecord>("/api/v1/runtime/status", { signal }),
});

export const editionQuery = queryOptions({
  queryKey: ["edition"],
  queryFn: ({ signal }) => getJson<EditionView>("/api/v1/edition", { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => getJson<Health>("/api/v1/health", { signal }),
});
