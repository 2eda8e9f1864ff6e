import { infiniteQueryOptions } from "@tanstack/react-query";
import type { AuditFilter, AuditList } from "../../../src/administration/audit/api.ts";
import { apiUrl, getJson } from "./client.ts";

const AUDIT = "/api/v1/audit";
const PAGE = 100;

/** Who changed what, newest first. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam, signal }) =>
      getJson<AuditList>(AUDIT, { parameters: { ...filter, limit: PAGE, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // No event tells of a new entry.
    staleTime: 0,
  });
}

/** Where all that fits is found as a file. */
export function auditExportUrl(filter: AuditFilter, format: "csv" | "jsonl"): string {
  return apiUrl(`${AUDIT}/export`, { ...filter, format });
}
