import { queryOptions } from "@tanstack/react-query";
import type { AgentRecord } from "../../../src/fleet/agents/answers.ts";
import type { TokenBody } from "../../../src/fleet/enrollment/api.ts";
import type { CreatedToken } from "../../../src/fleet/enrollment/answers.ts";
import { request } from "./client.ts";

/** Every agent, by label. All that is read of agents has a key that begins with `["agents"]`; what hosts use is in `hostsQuery`. */
export const agentsQuery = queryOptions({
  queryKey: ["agents", "list"],
  queryFn: ({ signal }) => request("GET /api/v1/agents", { signal }),
});

/** The latest enrollment tokens, without their texts. */
export const tokensQuery = queryOptions({
  queryKey: ["agents", "tokens"],
  queryFn: ({ signal }) => request("GET /api/v1/agents/enrollment-tokens", { signal, query: { limit: 100 } }),
});

/** One enrollment token: who enrolled by it, once somebody did. */
export function tokenQuery(id: string) {
  return queryOptions({
    queryKey: ["agents", "token", id],
    queryFn: ({ signal }) => request("GET /api/v1/agents/enrollment-tokens/{id}", { params: { id }, signal }),
  });
}

/** Only this answer has the token's text. */
export function createToken(body: TokenBody): Promise<CreatedToken> {
  return request("POST /api/v1/agents/enrollment-tokens", { body });
}

/** It lets nobody in any more; who enrolled by it stays. */
export function deleteToken(id: string): Promise<void> {
  return request("DELETE /api/v1/agents/enrollment-tokens/{id}", { params: { id } });
}

export function renameAgent(id: string, label: string): Promise<AgentRecord> {
  return request("PATCH /api/v1/agents/{id}", { params: { id }, body: { label } });
}

/** Closes its stream, and never lets it in again. */
export function revokeAgent(id: string): Promise<AgentRecord> {
  return request("POST /api/v1/agents/{id}/revoke", { params: { id } });
}

/** Deletes it with all that its host ever showed. */
export function deleteAgent(id: string): Promise<void> {
  return request("DELETE /api/v1/agents/{id}", { params: { id } });
}
