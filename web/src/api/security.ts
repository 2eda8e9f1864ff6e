import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  AcknowledgmentBody,
  AcknowledgmentRecord,
  ContainerInsights,
  ContainerPostureDetail,
  InsightList,
  InsightQuery,
  Posture,
  Summary,
} from "../../../src/monitoring/security/api.ts";
import { deleteJson, getJson, postJson } from "./client.ts";

const SECURITY = "/api/v1/security";
/** How many findings are read at a time. */
const PAGE = 100;

/** What narrows the findings; what is left out does not. */
export type InsightFilter = { [Name in keyof Omit<InsightQuery, "limit" | "offset">]?: InsightQuery[Name] | undefined };

/** What is found, worst first, page by page. Everything read of security has a key that begins with `["security"]`. */
export function insightsQuery(filter: InsightFilter) {
  return infiniteQueryOptions({
    queryKey: ["security", "insights", filter],
    queryFn: ({ signal, pageParam: offset }) =>
      getJson<InsightList>(`${SECURITY}/insights`, { signal, parameters: { ...filter, limit: PAGE, offset: offset || undefined } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How much is found, by severity and kind. */
export function securitySummaryQuery(host?: string) {
  return queryOptions({
    queryKey: ["security", "summary", host],
    queryFn: ({ signal }) => getJson<Summary>(`${SECURITY}/summary`, { signal, parameters: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

/** The score of all, what it is made of, what to do next. Only some editions have it. */
export function postureQuery(host?: string) {
  return queryOptions({
    queryKey: ["security", "posture", host],
    queryFn: ({ signal }) => getJson<Posture>(`${SECURITY}/posture`, { signal, parameters: { agent_id: host } }),
    placeholderData: keepPreviousData,
  });
}

export function containerInsightsQuery(id: number) {
  return queryOptions({
    queryKey: ["security", "container", id, "insights"],
    queryFn: ({ signal }) => getJson<ContainerInsights>(`${SECURITY}/insights/${id}`, { signal }),
  });
}

/** The score of one container. Only some editions have it. */
export function containerPostureQuery(id: number) {
  return queryOptions({
    queryKey: ["security", "container", id, "posture"],
    queryFn: ({ signal }) => getJson<ContainerPostureDetail>(`${SECURITY}/posture/containers/${id}`, { signal }),
  });
}

export function acknowledgeFinding(body: AcknowledgmentBody): Promise<AcknowledgmentRecord> {
  return postJson<AcknowledgmentRecord>(`${SECURITY}/acknowledgments`, body);
}

export function revokeAcknowledgment(id: number): Promise<void> {
  return deleteJson(`${SECURITY}/acknowledgments/${id}`);
}
