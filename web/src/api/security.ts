import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { SECURITY_BOUNDS } from "../../../src/contract/security.ts";
import type { AcknowledgmentBulkBody, InsightQuery } from "../../../src/monitoring/security/api.ts";
import type { AcknowledgmentBulk } from "../../../src/monitoring/security/answers.ts";
import { request } from "./client.ts";

/** How many findings are read at a time; where all are, as many as the server answers at once. */
const PAGE = { some: 100, all: 1000 } as const;

/** What narrows the findings; what is left out does not. */
export type InsightFilter = { [Name in keyof Omit<InsightQuery, "limit" | "offset">]?: InsightQuery[Name] | undefined };

/** What is found, page by page; of `all`, the pages are large. Everything read of security has a key that begins with `["security"]`. */
export function insightsQuery(filter: InsightFilter, pages: keyof typeof PAGE = "some") {
  const limit = PAGE[pages];
  return infiniteQueryOptions({
    queryKey: ["security", "insights", filter, pages],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/security/insights", { signal, query: { ...filter, limit, offset: offset || undefined } }),
    initialPageParam: 0,
    getNextPageParam: (last, read) => (last.has_more ? read.length * limit : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How much is found, by severity and kind. */
export function securitySummaryQuery(host?: string) {
  return queryOptions({
    queryKey: ["security", "summary", host],
    queryFn: ({ signal }) => request("GET /api/v1/security/summary", { signal, query: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

/** The score of all, what it is made of, what to do next. Only some editions have it. */
export function postureQuery(host?: string) {
  return queryOptions({
    queryKey: ["security", "posture", host],
    queryFn: ({ signal }) => request("GET /api/v1/security/posture", { signal, query: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

export function containerInsightsQuery(id: number) {
  return queryOptions({
    queryKey: ["security", "container", id, "insights"],
    queryFn: ({ signal }) => request("GET /api/v1/security/insights/{container_id}", { params: { container_id: id }, signal }),
  });
}

/** The score of one container. Only some editions have it. */
export function containerPostureQuery(id: number) {
  return queryOptions({
    queryKey: ["security", "container", id, "posture"],
    queryFn: ({ signal }) => request("GET /api/v1/security/posture/containers/{id}", { params: { id }, signal }),
  });
}

/** Many findings in one name, as many requests as their number needs. Resolves to why some were not acknowledged. */
export async function acknowledgeFindings({ findings, ...person }: AcknowledgmentBulkBody): Promise<AcknowledgmentBulk["skipped"]> {
  const skipped: AcknowledgmentBulk["skipped"] = [];
  for (let from = 0; from < findings.length; from += SECURITY_BOUNDS.atOnce) {
    const body = { findings: findings.slice(from, from + SECURITY_BOUNDS.atOnce), ...person };
    const answer = await request("POST /api/v1/security/acknowledgments:bulk", { body, keepalive: true });
    skipped.push(...answer.skipped);
  }
  return skipped;
}

export function revokeAcknowledgment(id: number): Promise<void> {
  return request("DELETE /api/v1/security/acknowledgments/{id}", { params: { id } });
}
