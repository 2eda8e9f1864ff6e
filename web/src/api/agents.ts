import { queryOptions } from "@tanstack/react-query";
import type { AgentList, AgentRecord } from "../../../src/fleet/agents/api.ts";
import type { CreatedToken, TokenBody, TokenList, TokenRecord } from "../../../src/fleet/enrollment/api.ts";
import { deleteJson, getJson, patchJson, postJson } from "./client.ts";

const AGENTS = "/api/v1/agents";
const TOKENS = `${AGENTS}/enrollment-tokens`;

/** Every agent, by label. All that is read of agents has a key that begins with `["agents"]`; what hosts use is in `hostsQuery`. */
export const agentsQuery = queryOptions({
  queryKey: ["agents", "list"],
  queryFn: ({ signal }) => getJson<AgentList>(AGENTS, { signal }),
});

/** The latest enrollment tokens, without their texts. */
export const tokensQuery = queryOptions({
  queryKey: ["agents", "tokens"],
  queryFn: ({ signal }) => getJson<TokenList>(TOKENS, { signal, parameters: { limit: 100 } }),
});

/** One enrollment token: who enrolled by it, once somebody did. */
export function tokenQuery(id: string) {
  return queryOptions({
    queryKey: ["agents", "token", id],
    queryFn: ({ signal }) => getJson<TokenRecord>(tokenPath(id), { signal }),
  });
}

/** The answer alone tells the token's text. */
export function createToken(body: TokenBody): Promise<CreatedToken> {
  return postJson<CreatedToken>(TOKENS, body);
}

/** It lets nobody in any more; who enrolled by it stays. */
export function deleteToken(id: string): Promise<void> {
  return deleteJson(tokenPath(id));
}

export function renameAgent(id: string, label: string): Promise<AgentRecord> {
  return patchJson<AgentRecord>(agentPath(id), { label });
}

/** Closes its stream, and never lets it in again. */
export function revokeAgent(id: string): Promise<AgentRecord> {
  return postJson<AgentRecord>(`${agentPath(id)}/revoke`);
}

/** Deletes it with all that its host ever showed. */
export function deleteAgent(id: string): Promise<void> {
  return deleteJson(agentPath(id));
}

function agentPath(id: string): string {
  return `${AGENTS}/${encodeURIComponent(id)}`;
}

function tokenPath(id: string): string {
  return `${TOKENS}/${encodeURIComponent(id)}`;
}
