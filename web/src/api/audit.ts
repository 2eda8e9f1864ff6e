import type { AuditFormat } from "../../../src/contract/audit.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditFilter } from "../../../src/administration/audit/api.ts";
import { request, urlOf } from "./client.ts";

const PAGE = 100;

/** Who changed what, newest first. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam, signal }) =>
      request("GET /api/v1/audit", { query: { ...filter, limit: PAGE, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // No event reports a new entry.
    staleTime: 0,
  });
}

/** Where all that fits is found as a file. */
export function auditExportUrl(filter: AuditFilter, format: AuditFormat): string {
  return urlOf("GET /api/v1/audit/export", { query: { ...filter, format } });
}
