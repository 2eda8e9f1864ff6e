import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ContainerDetail, ContainerList } from "../../../src/monitoring/containers/answers.ts";
import type { ThresholdsBody } from "../../../src/monitoring/resources/api.ts";
import type { History, ScopeThresholds, Thresholds, Top } from "../../../src/monitoring/resources/answers.ts";
import { request } from "./client.ts";
import { joinGroups } from "./join-groups.ts";
import { shareRows } from "./share-rows.ts";
import { sparkSeries } from "./spark-series.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

/** The present containers of all hosts: filters are applied to them here. */
export function containersQuery() {
  return containerPages({ archived: false });
}

/** So many thousand of the removed ones. */
export function removedContainersQuery(mostPages: number) {
  return { ...containerPages({ archived: true, mostPages }), placeholderData: keepPreviousData };
}

function containerPages({ archived, mostPages }: { archived: boolean; mostPages?: number }) {
  const queryKey = ["containers", { archived, ...(mostPages !== undefined && { mostPages }) }];
  return queryOptions({
    queryKey,
    meta: WHOLE_LIST,
    async queryFn({ client, signal }) {
      const known = client.getQueryData<ContainerList>(queryKey);
      const read = (cursor: string | undefined): Promise<ContainerList> =>
        request("GET /api/v1/containers", { query: { archived: archived || undefined, cursor }, signal });
      return shareRows(
        known,
        await readWholeList({ client, queryKey, read, join: joinGroups, ...(mostPages !== undefined && { mostPages }) }),
      );
    },
    // What is read is shared above, what events change shares by itself: comparing thousands of rows once more would be felt.
    structuralSharing: false,
  });
}

/** One container with its uptime. Everything read about one has a key that begins with `["container", id]`. */
export function containerQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "detail"],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}", { params: { id }, signal }),
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
      request("GET /api/v1/containers/{id}/transitions", { params: { id }, signal, query: { ...filter, limit, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * limit : undefined),
    placeholderData: keepPreviousData,
  });
}

/** The containers that there have been in its place, newest first; only one that was re-created has others. */
export function generationsQuery({ id, generation }: Pick<ContainerDetail, "id" | "generation">) {
  return queryOptions({
    queryKey: ["container", id, "generations", generation],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/generations", { params: { id }, signal, query: { limit: 100 } }),
    enabled: generation > 1,
    placeholderData: keepPreviousData,
  });
}

/** Its uptime day by day, newest first. */
export function dailyUptimeQuery(id: number, days = 90) {
  return queryOptions({
    queryKey: ["container", id, "uptime", days],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/uptime/daily", { params: { id }, signal, query: { days } }),
  });
}

interface LogFilter {
  lines?: number;
  since?: string | undefined;
  search?: string | undefined;
}

/** The last lines of its log. Read again whenever asked for, since a log has no event that says it grew. */
export function logsQuery(id: number, filter: LogFilter = {}) {
  return queryOptions({
    queryKey: ["container-logs", id, filter],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/logs", { params: { id }, signal, query: { ...filter } }),
    staleTime: 0,
  });
}

/** What it uses now. Snapshots of its host keep it right. */
export function currentQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "resources"],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/resources/current", { params: { id }, signal }),
  });
}

/** What it used, from the beginning of the range until now. Snapshots of its host make it grow. */
export function historyQuery(id: number, range: History["range"]) {
  return queryOptions({
    queryKey: ["container", id, "history", range],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/resources/history", { params: { id }, signal, query: { range } }),
    structuralSharing: false,
  });
}

/** Its thresholds, and whether they are exceeded. */
export function thresholdsQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "thresholds"],
    queryFn: ({ signal }) => request("GET /api/v1/containers/{id}/resources/alerts", { params: { id }, signal }),
  });
}

/** Sets its thresholds; resolves with what then holds. */
export function saveThresholds(id: number, body: ThresholdsBody): Promise<Thresholds> {
  return request("PUT /api/v1/containers/{id}/resources/alerts", { params: { id }, body });
}

/** Takes its own thresholds away; resolves with what then holds. */
export function clearThresholds(id: number): Promise<Thresholds> {
  return request("DELETE /api/v1/containers/{id}/resources/alerts", { params: { id } });
}

type ScopeOf = Pick<ScopeThresholds, "entity_type" | "entity_id">;

/** Sets the thresholds of a group or a host. */
export function saveScopeThresholds({ entity_type, entity_id }: ScopeOf, body: ThresholdsBody): Promise<ScopeThresholds> {
  return request("PUT /api/v1/resources/thresholds/{entity_type}/{entity_id}", { params: { entity_type, entity_id }, body });
}

export async function deleteScopeThresholds({ entity_type, entity_id }: ScopeOf): Promise<void> {
  await request("DELETE /api/v1/resources/thresholds/{entity_type}/{entity_id}", { params: { entity_type, entity_id } });
}

/** Every host with what it uses. All that is read of resources, and not of one container, has a key that begins with `["resources"]`. */
export const hostsQuery = queryOptions({
  queryKey: ["resources", "hosts"],
  queryFn: ({ signal }) => request("GET /api/v1/resources/hosts", { signal }),
});

/** How many of the greatest consumers are read, wherever fewer are shown. */
const TOP_LIMIT = 10;

/** Who uses the most, or whose use has grown the most since yesterday, on one host or on all. */
export function topQuery(sort: Top["sort"], agentId: string | undefined, by: Top["by"] = "use") {
  return queryOptions({
    queryKey: ["resources", "top", { sort, by, agentId, limit: TOP_LIMIT }] as const,
    queryFn: ({ signal }) => request("GET /api/v1/resources/top", { signal, query: { sort, by, limit: TOP_LIMIT, agent_id: agentId } }),
  });
}

/** The last hour of every container in few points. What is kept is made for drawing: see {@link SparkSeries}. */
export const sparklinesQuery = queryOptions({
  queryKey: ["resources", "sparklines"],
  queryFn: async ({ signal }) => sparkSeries(await request("GET /api/v1/resources/sparklines", { signal })),
  structuralSharing: false,
});

/** The thresholds that are set, of all containers. Read again whenever asked for, since no event says that one was set. */
export const thresholdListQuery = queryOptions({
  queryKey: ["resources", "thresholds"],
  queryFn: ({ signal }) => request("GET /api/v1/resources/thresholds", { signal }),
  staleTime: 0,
});

export const storageQuery = queryOptions({
  queryKey: ["storage"],
  queryFn: ({ signal }) => request("GET /api/v1/storage", { signal }),
});

export const runtimeStatusQuery = queryOptions({
  queryKey: ["runtime-status"],
  queryFn: ({ signal }) => request("GET /api/v1/runtime/status", { signal }),
});

export const editionQuery = queryOptions({
  queryKey: ["edition"],
  queryFn: ({ signal }) => request("GET /api/v1/edition", { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => request("GET /api/v1/health", { signal }),
});
