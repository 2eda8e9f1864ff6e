import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Health, RuntimeStatusRecord, StorageUse } from "../../../src/app/meta/api.ts";
import type { EditionView } from "../../../src/editions/api.ts";
import type {
  ContainerDetail,
  ContainerList,
  ContainerLogs,
  DailyUptime,
  GenerationList,
  TransitionList,
} from "../../../src/monitoring/containers/api.ts";
import type {
  History,
  Hosts,
  Snapshot,
  Sparklines,
  ThresholdList,
  Thresholds,
  ThresholdsBody,
  Top,
} from "../../../src/monitoring/resources/api.ts";
import { getJson, putJson } from "./client.ts";
import { joinGroups } from "./join-groups.ts";
import { shareRows } from "./share-rows.ts";
import { sparkSeries } from "./spark-series.ts";
import { readWholeList } from "./whole-list.ts";

const CONTAINERS = "/api/v1/containers";
const RESOURCES = "/api/v1/resources";

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
    async queryFn({ client, signal }) {
      const known = client.getQueryData<ContainerList>(queryKey);
      const parameters = { archived: archived || undefined };
      const reading = { client, queryKey, signal, parameters, join: joinGroups, ...(mostPages !== undefined && { mostPages }) };
      return shareRows(known, await readWholeList<ContainerList>(CONTAINERS, reading));
    },
    // What is read is shared above, what events change shares by itself: comparing thousands of rows once more would be felt.
    structuralSharing: false,
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

/** The containers that there have been in its place, newest first; only one that was re-created has others. */
export function generationsQuery({ id, generation }: Pick<ContainerDetail, "id" | "generation">) {
  return queryOptions({
    queryKey: ["container", id, "generations", generation],
    queryFn: ({ signal }) => getJson<GenerationList>(`${CONTAINERS}/${id}/generations`, { signal, parameters: { limit: 100 } }),
    enabled: generation > 1,
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

/** What it uses now. Snapshots of its host keep it right. */
export function currentQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "resources"],
    queryFn: ({ signal }) => getJson<Snapshot>(`${CONTAINERS}/${id}/resources/current`, { signal }),
  });
}

/** What it used, from the beginning of the range until now. Snapshots of its host make it grow. */
export function historyQuery(id: number, range: History["range"]) {
  return queryOptions({
    queryKey: ["container", id, "history", range],
    queryFn: ({ signal }) => getJson<History>(`${CONTAINERS}/${id}/resources/history`, { signal, parameters: { range } }),
    structuralSharing: false,
  });
}

/** Its thresholds, and whether they are exceeded. */
export function thresholdsQuery(id: number) {
  return queryOptions({
    queryKey: ["container", id, "thresholds"],
    queryFn: ({ signal }) => getJson<Thresholds>(thresholdsPath(id), { signal }),
  });
}

/** Sets its thresholds; resolves with what then holds. */
export function saveThresholds(id: number, body: ThresholdsBody): Promise<Thresholds> {
  return putJson<Thresholds>(thresholdsPath(id), body);
}

function thresholdsPath(id: number): string {
  return `${CONTAINERS}/${id}/resources/alerts`;
}

/** Every host with what it uses. All that is read of resources, and not of one container, has a key that begins with `["resources"]`. */
export const hostsQuery = queryOptions({
  queryKey: ["resources", "hosts"],
  queryFn: ({ signal }) => getJson<Hosts>(`${RESOURCES}/hosts`, { signal }),
});

/** How many of the greatest consumers are read, wherever fewer are shown. */
const TOP_LIMIT = 10;

/** Who uses the most, on one host or on all. */
export function topQuery(sort: Top["sort"], agentId: string | undefined) {
  return queryOptions({
    queryKey: ["resources", "top", { sort, agentId, limit: TOP_LIMIT }] as const,
    queryFn: ({ signal }) => getJson<Top>(`${RESOURCES}/top`, { signal, parameters: { sort, limit: TOP_LIMIT, agent_id: agentId } }),
  });
}

/** The last hour of every container in few points. What is kept is made for drawing: see {@link SparkSeries}. */
export const sparklinesQuery = queryOptions({
  queryKey: ["resources", "sparklines"],
  queryFn: async ({ signal }) => sparkSeries(await getJson<Sparklines>(`${RESOURCES}/sparklines`, { signal })),
  structuralSharing: false,
});

/** The thresholds that are set, of all containers. Read anew whenever asked for, since no event says that one was set. */
export const thresholdListQuery = queryOptions({
  queryKey: ["resources", "thresholds"],
  queryFn: ({ signal }) => getJson<ThresholdList>(`${RESOURCES}/thresholds`, { signal }),
  staleTime: 0,
});

export const storageQuery = queryOptions({
  queryKey: ["storage"],
  queryFn: ({ signal }) => getJson<StorageUse>("/api/v1/storage", { signal }),
});

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
