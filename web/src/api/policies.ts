import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CreateBody, ProbeBody, UpdateBody } from "../../../src/alerting/escalation/api.ts";
import type { PolicyRecord } from "../../../src/alerting/escalation/answers.ts";
import { request } from "./client.ts";

/** How many runs of a policy are shown. */
const RUNS = 10;

/** All escalation policies. Only some editions have them. */
export const policiesQuery = queryOptions({
  queryKey: ["policies"],
  queryFn: ({ signal }) => request("GET /api/v1/escalation-policies", { signal }),
});

/** The latest runs of a policy. */
export function policyRunsQuery(id: number) {
  return queryOptions({
    queryKey: ["policies", id, "runs"],
    queryFn: ({ signal }) => request("GET /api/v1/escalation-policies/{id}/runs", { params: { id }, signal, query: { limit: RUNS } }),
  });
}

/** Which policies the same alerts would start. */
export function overlapsQuery(body: ProbeBody) {
  return queryOptions({
    queryKey: ["policies", "overlaps", body],
    queryFn: () => request("POST /api/v1/escalation-policies/overlap-probe", { body }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  });
}

export function createPolicy(body: CreateBody): Promise<PolicyRecord> {
  return request("POST /api/v1/escalation-policies", { body });
}

/** What is left out stays as it is. */
export function updatePolicy(id: number, body: UpdateBody): Promise<PolicyRecord> {
  return request("PUT /api/v1/escalation-policies/{id}", { params: { id }, body });
}

export function deletePolicy(id: number): Promise<void> {
  return request("DELETE /api/v1/escalation-policies/{id}", { params: { id } });
}
