import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  CreateBody,
  Overlaps,
  PolicyList,
  PolicyRecord,
  ProbeBody,
  RunPage,
  UpdateBody,
} from "../../../src/alerting/escalation/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";

const POLICIES = "/api/v1/escalation-policies";
/** How many runs of a policy are shown. */
const RUNS = 10;

/** All escalation policies. Only some editions have them. */
export const policiesQuery = queryOptions({
  queryKey: ["policies"],
  queryFn: ({ signal }) => getJson<PolicyList>(POLICIES, { signal }),
});

/** The latest runs of a policy. */
export function policyRunsQuery(id: number) {
  return queryOptions({
    queryKey: ["policies", id, "runs"],
    queryFn: ({ signal }) => getJson<RunPage>(`${POLICIES}/${id}/runs`, { signal, parameters: { limit: RUNS } }),
  });
}

/** Which policies the same alerts would start. */
export function overlapsQuery(body: ProbeBody) {
  return queryOptions({
    queryKey: ["policies", "overlaps", body],
    queryFn: () => postJson<Overlaps>(`${POLICIES}/overlap-probe`, body),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  });
}

export function createPolicy(body: CreateBody): Promise<PolicyRecord> {
  return postJson<PolicyRecord>(POLICIES, body);
}

/** What is left out stays as it is. */
export function updatePolicy(id: number, body: UpdateBody): Promise<PolicyRecord> {
  return putJson<PolicyRecord>(`${POLICIES}/${id}`, body);
}

export function deletePolicy(id: number): Promise<void> {
  return deleteJson(`${POLICIES}/${id}`);
}
