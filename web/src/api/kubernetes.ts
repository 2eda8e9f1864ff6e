import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ClusterEventRecord } from "../../../src/monitoring/kubernetes/api.ts";
import type { PodRecord } from "../../../src/monitoring/kubernetes/answers.ts";
import { isApiError, request } from "./client.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

/** How many pods or events are read at a time: there may be thousands. */
const PAGE = 200;
/** Of lists that are read whole: a thousand rows each. */
const MOST_PAGES = 10;

/** Whether to try again: that there is no cluster is an answer. */
function retry(count: number, error: Error): boolean {
  return !["conflict", "not_found", "invalid_request"].some((code) => isApiError(error) && error.code === code) && count < 3;
}

/** Everything read of Kubernetes has a key that begins with `["kubernetes"]`. Without a cluster it is refused with `conflict`. `host` leaves the clusters of one host. */
function wholeList<List extends { next_cursor: string | null }>(
  name: string,
  read: (asked: { query: { agent_id: string | undefined; cursor: string | undefined }; signal: AbortSignal }) => Promise<List>,
  join: (list: List, next: List) => List,
) {
  return (host?: string) =>
    queryOptions({
      queryKey: ["kubernetes", name, host],
      meta: WHOLE_LIST,
      queryFn: ({ client, queryKey, signal }) =>
        readWholeList<List>({
          client,
          queryKey,
          read: (cursor) => read({ query: { agent_id: host, cursor }, signal }),
          mostPages: MOST_PAGES,
          join,
        }),
      placeholderData: keepPreviousData,
      retry,
    });
}

export const workloadsQuery = wholeList(
  "workloads",
  (asked) => request("GET /api/v1/kubernetes/workloads", asked),
  (list, next) => ({ ...next, workloads: [...list.workloads, ...next.workloads] }),
);
export const namespacesQuery = wholeList(
  "namespaces",
  (asked) => request("GET /api/v1/kubernetes/namespaces", asked),
  (list, next) => ({ ...next, namespaces: [...list.namespaces, ...next.namespaces] }),
);
export const nodesQuery = wholeList(
  "nodes",
  (asked) => request("GET /api/v1/kubernetes/nodes", asked),
  (list, next) => ({ ...next, nodes: [...list.nodes, ...next.nodes] }),
);
export const servicesQuery = wholeList(
  "services",
  (asked) => request("GET /api/v1/kubernetes/services", asked),
  (list, next) => ({ ...next, services: [...list.services, ...next.services] }),
);
export const routesQuery = wholeList(
  "routes",
  (asked) => request("GET /api/v1/kubernetes/routes", asked),
  (list, next) => ({ ...next, routes: [...list.routes, ...next.routes] }),
);
export const claimsQuery = wholeList(
  "claims",
  (asked) => request("GET /api/v1/kubernetes/claims", asked),
  (list, next) => ({ ...next, claims: [...list.claims, ...next.claims] }),
);
export const certificatesQuery = wholeList(
  "certificates",
  (asked) => request("GET /api/v1/kubernetes/certificates", asked),
  (list, next) => ({ ...next, certificates: [...list.certificates, ...next.certificates] }),
);

export function workloadQuery(id: string) {
  return queryOptions({
    queryKey: ["kubernetes", "workload", id],
    queryFn: ({ signal }) => request("GET /api/v1/kubernetes/workloads/{id}", { params: { id }, signal }),
    retry,
  });
}

/** What narrows a list that is read page by page; what is undefined does not. */
interface PageFilter {
  search?: string | undefined;
  cluster_id?: string | undefined;
  agent_id?: string | undefined;
  namespace?: string | undefined;
}

export interface PodFilter extends PageFilter {
  node?: string | undefined;
  phase?: PodRecord["phase"] | undefined;
  ready?: boolean | undefined;
}

export interface EventFilter extends PageFilter {
  type?: ClusterEventRecord["type"] | undefined;
  /** Of what it is about. */
  kind?: string | undefined;
}

export function podsQuery(filter: PodFilter) {
  return infiniteQueryOptions({
    queryKey: ["kubernetes", "pods", filter],
    queryFn: ({ signal, pageParam: cursor }) =>
      request("GET /api/v1/kubernetes/pods", { signal, query: { ...filter, limit: PAGE, cursor } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    retry,
  });
}

/** What the clusters reported, newest first. */
export function eventsQuery(filter: EventFilter) {
  return infiniteQueryOptions({
    queryKey: ["kubernetes", "events", filter],
    queryFn: ({ signal, pageParam: cursor }) =>
      request("GET /api/v1/kubernetes/events", { signal, query: { ...filter, limit: PAGE, cursor } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    retry,
  });
}
