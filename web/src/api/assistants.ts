import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** How assistants reach this installation, and what they find. */
export const mcpQuery = queryOptions({
  queryKey: ["mcp"],
  queryFn: ({ signal }) => request("GET /api/v1/mcp", { signal }),
});

/** The assistants that were let in, newest first. */
export const mcpConnectionsQuery = queryOptions({
  queryKey: ["mcp", "connections"],
  queryFn: ({ signal }) => request("GET /api/v1/mcp/connections", { signal }),
  // No event reports a new one, but it must be there when somebody returns from granting access.
  staleTime: 0,
});

/** Ends the access of one. */
export function revokeMcpConnection(id: number): Promise<void> {
  return request("DELETE /api/v1/mcp/connections/{id}", { params: { id } });
}
