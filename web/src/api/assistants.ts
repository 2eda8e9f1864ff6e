import { queryOptions } from "@tanstack/react-query";
import type { ConnectionList } from "../../../src/mcp/oauth/api.ts";
import type { McpView } from "../../../src/mcp/server/api.ts";
import { deleteJson, getJson } from "./client.ts";

const MCP = "/api/v1/mcp";

/** How assistants reach this installation, and what they find. */
export const mcpQuery = queryOptions({
  queryKey: ["mcp"],
  queryFn: ({ signal }) => getJson<McpView>(MCP, { signal }),
});

/** The assistants that were let in, newest first. */
export const mcpConnectionsQuery = queryOptions({
  queryKey: ["mcp", "connections"],
  queryFn: ({ signal }) => getJson<ConnectionList>(`${MCP}/connections`, { signal }),
  // No event tells of a new one: whoever comes back from letting one in sees it.
  staleTime: 0,
});

/** Ends the access of one. */
export function revokeMcpConnection(id: number): Promise<void> {
  return deleteJson(`${MCP}/connections/${id}`);
}
