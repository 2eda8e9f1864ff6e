import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { UpdateQuery } from "../../../src/monitoring/updates/api.ts";
import type { ExclusionRecord } from "../../../src/monitoring/updates/answers.ts";
import { request } from "./client.ts";
import { createSendQueue } from "./send-queue.ts";

/** How many containers are read at a time; where all are, as many as the server answers at once. */
const PAGE = { some: 200, all: 1000 } as const;

/** What narrows the list; what is left out does not. */
export type UpdateFilter = { [Name in keyof Omit<UpdateQuery, "limit" | "offset">]?: UpdateQuery[Name] | undefined };

/** What containers run and could run, page by page; of `all`, the pages are large. Everything read of updates has a key that begins with `["updates"]`. */
export function updatesQuery(filter: UpdateFilter, pages: keyof typeof PAGE = "some") {
  const limit = PAGE[pages];
  return infiniteQueryOptions({
    queryKey: ["updates", "list", filter, pages],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/updates", { signal, query: { ...filter, limit, offset: offset || undefined } }),
    initialPageParam: 0,
    getNextPageParam: (last, read) => (last.has_more ? read.length * limit : undefined),
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

export function pinContainers(ids: readonly number[], reason: string | null): Promise<void> {
  return forEach(ids, async (id) => {
    await request("POST /api/v1/updates/pin/{container_id}", { params: { container_id: id }, body: { reason } });
  });
}

export function unpinContainers(ids: readonly number[]): Promise<void> {
  return forEach(ids, (id) => request("DELETE /api/v1/updates/pin/{container_id}", { params: { container_id: id } }));
}

/** Sends a few at a time; fails with the first that failed once all are done. */
async function forEach(ids: readonly number[], send: (id: number) => Promise<void>): Promise<void> {
  const queue = createSendQueue((run, delayMs) => void setTimeout(run, delayMs));
  const results = await Promise.allSettled(ids.map((id) => queue.add(() => send(id))));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

export function excludeImage(image: string): Promise<ExclusionRecord> {
  return request("POST /api/v1/updates/exclusions", { body: { image } });
}

export function removeExclusion(id: number): Promise<void> {
  return request("DELETE /api/v1/updates/exclusions/{id}", { params: { id } });
}
