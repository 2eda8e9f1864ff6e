import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  DryRun,
  ExclusionList,
  ExclusionRecord,
  PinRecord,
  UpdateList,
  UpdateQuery,
  UpdateRecord,
  UpdateSummary,
} from "../../../src/monitoring/updates/api.ts";
import { deleteJson, getJson, postJson } from "./client.ts";

const UPDATES = "/api/v1/updates";
/** How many containers are read at a time. */
const PAGE = 200;

/** What narrows the list; what is left out does not. */
export type UpdateFilter = { [Name in keyof Omit<UpdateQuery, "limit" | "offset">]?: UpdateQuery[Name] | undefined };

/** What containers run and could run, page by page. Everything read of updates has a key that begins with `["updates"]`. */
export function updatesQuery(filter: UpdateFilter) {
  return infiniteQueryOptions({
    queryKey: ["updates", "list", filter],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<UpdateList>(UPDATES, { signal, parameters: { ...filter, limit: PAGE, offset: offset || undefined } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How much can be updated, and when was and will be looked. A scan that runs is kept right by its events. */
export function updateSummaryQuery(host?: string) {
  return queryOptions({
    queryKey: ["updates", "summary", host],
    queryFn: ({ signal }) => getJson<UpdateSummary>(`${UPDATES}/summary`, { signal, parameters: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

/** All that is known of one container's image. */
export function containerUpdateQuery(id: number) {
  return queryOptions({
    queryKey: ["updates", "container", id],
    queryFn: ({ signal }) => getJson<UpdateRecord>(`${UPDATES}/container/${id}`, { signal }),
  });
}

export const exclusionsQuery = queryOptions({
  queryKey: ["updates", "exclusions"],
  queryFn: ({ signal }) => getJson<ExclusionList>(`${UPDATES}/exclusions`, { signal }),
});

/** What a scan would ask, and why not. Read anew whenever asked for, since it follows every label. */
export const dryRunQuery = queryOptions({
  queryKey: ["updates", "dry-run"],
  queryFn: ({ signal }) => getJson<DryRun>(`${UPDATES}/dry-run`, { signal }),
  staleTime: 0,
});

/** Begins a scan; how it goes is told by events. */
export function startScan(): Promise<{ scan_id: string }> {
  return postJson(`${UPDATES}/scan`);
}

export function pinContainer(id: number, reason: string | null): Promise<PinRecord> {
  return postJson<PinRecord>(`${UPDATES}/pin/${id}`, { reason });
}

export function unpinContainer(id: number): Promise<void> {
  return deleteJson(`${UPDATES}/pin/${id}`);
}

export function excludeImage(image: string): Promise<ExclusionRecord> {
  return postJson<ExclusionRecord>(`${UPDATES}/exclusions`, { image });
}

export function removeExclusion(id: number): Promise<void> {
  return deleteJson(`${UPDATES}/exclusions/${id}`);
}
