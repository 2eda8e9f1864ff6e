import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { UpdateQuery } from "../../../src/monitoring/updates/api.ts";
import type { ExclusionRecord, PinRecord } from "../../../src/monitoring/updates/answers.ts";
import { request } from "./client.ts";

/** How many containers are read at a time. */
const PAGE = 200;

/** What narrows the list; what is left out does not. */
export type UpdateFilter = { [Name in keyof Omit<UpdateQuery, "limit" | "offset">]?: UpdateQuery[Name] | undefined };

/** What containers run and could run, page by page. Everything read of updates has a key that begins with `["updates"]`. */
export function updatesQuery(filter: UpdateFilter) {
  return infiniteQueryOptions({
    queryKey: ["updates", "list", filter],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/updates", { signal, query: { ...filter, limit: PAGE, offset: offset || undefined } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How much can be updated, and when was and will be looked. A scan that runs is kept right by its events. */
export function updateSummaryQuery(host?: string) {
  return queryOptions({
    queryKey: ["updates", "summary", host],
    queryFn: ({ signal }) => request("GET /api/v1/updates/summary", { signal, query: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

/** All that is known of one container's image. */
export function containerUpdateQuery(id: number) {
  return queryOptions({
    queryKey: ["updates", "container", id],
    queryFn: ({ signal }) => request("GET /api/v1/updates/container/{container_id}", { params: { container_id: id }, signal }),
  });
}

export const exclusionsQuery = queryOptions({
  queryKey: ["updates", "exclusions"],
  queryFn: ({ signal }) => request("GET /api/v1/updates/exclusions", { signal }),
});

/** What a scan would ask, and why not. Read again whenever asked for, since it follows every label. */
export const dryRunQuery = queryOptions({
  queryKey: ["updates", "dry-run"],
  queryFn: ({ signal }) => request("GET /api/v1/updates/dry-run", { signal }),
  staleTime: 0,
});

/** Begins a scan; events report its progress. */
export function startScan(): Promise<{ scan_id: string }> {
  return request("POST /api/v1/updates/scan");
}

export function pinContainer(id: number, reason: string | null): Promise<PinRecord> {
  return request("POST /api/v1/updates/pin/{container_id}", { params: { container_id: id }, body: { reason } });
}

export function unpinContainer(id: number): Promise<void> {
  return request("DELETE /api/v1/updates/pin/{container_id}", { params: { container_id: id } });
}

export function excludeImage(image: string): Promise<ExclusionRecord> {
  return request("POST /api/v1/updates/exclusions", { body: { image } });
}

export function removeExclusion(id: number): Promise<void> {
  return request("DELETE /api/v1/updates/exclusions/{id}", { params: { id } });
}
