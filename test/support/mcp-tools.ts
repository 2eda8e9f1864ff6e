/** Every tool, with what it is called with and what its answer must show: one row each. */
import assert from "node:assert/strict";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { HEARTBEAT, INCIDENT } from "./mcp-watched-host.ts";

/** What the rows are about. */
export interface Known {
  container: { id: number; name: string };
  endpointId: number;
  /** One that nobody has acknowledged. */
  alert: { id: number; entityName: string };
  /** A moment before all that is there. */
  since: string;
}

interface Row {
  with(known: Known): Record<string, unknown>;
  /** Part of the answer, as JSON. */
  shows(known: Known): string;
}

export const TOOL_ROWS: Readonly<Record<string, Row>> = {
  get_health: { with: () => ({}), shows: () => '"connected":true' },
  list_alerts: { with: () => ({}), shows: ({ alert }) => `"id":${alert.id},` },
  explain_alert: { with: ({ alert }) => ({ alert_id: alert.id }), shows: ({ alert }) => alert.entityName },
  what_changed: { with: ({ since }) => ({ since }), shows: ({ alert }) => alert.entityName },
  list_agents: { with: () => ({}), shows: () => '"id":"local"' },
  list_containers: { with: ({ container }) => ({ search: container.name }), shows: ({ container }) => container.name },
  get_container: { with: ({ container }) => ({ container_id: container.id }), shows: ({ container }) => container.name },
  get_state_at: { with: () => ({ at: new Date().toISOString() }), shows: ({ container }) => container.name },
  get_strips: { with: () => ({}), shows: ({ container }) => container.name },
  get_topology: { with: () => ({}), shows: ({ container }) => container.name },
  get_container_logs: { with: ({ container }) => ({ container_id: container.id, lines: 10 }), shows: () => "listening" },
  get_log_patterns: { with: ({ container }) => ({ container_id: container.id }), shows: () => "listening" },
  search_logs: { with: ({ container }) => ({ container_id: container.id, limit: 10 }), shows: () => "listening" },
  get_resources: { with: ({ container }) => ({ container_id: container.id, range: "1h" }), shows: ({ container }) => container.name },
  get_top_consumers: { with: () => ({ sort: "memory", limit: 5 }), shows: ({ container }) => container.name },
  list_endpoints: { with: ({ container }) => ({ container_id: container.id }), shows: ({ endpointId }) => `"id":${endpointId},` },
  get_endpoint_history: { with: ({ endpointId }) => ({ endpoint_id: endpointId }), shows: () => '"http_status":200' },
  list_heartbeats: { with: () => ({}), shows: () => HEARTBEAT },
  list_certificates: { with: () => ({ agent_id: "local" }), shows: () => '"total":0' },
  get_updates: { with: ({ container }) => ({ container_id: container.id }), shows: ({ container }) => container.name },
  get_security_insights: { with: ({ container }) => ({ container_id: container.id }), shows: () => "port_exposed_all_interfaces" },
  list_incidents: { with: () => ({}), shows: () => INCIDENT },
  list_swarm_services: { with: () => ({}), shows: () => "docker swarm init" },
  list_swarm_tasks: { with: () => ({}), shows: () => "docker swarm init" },
  list_swarm_nodes: { with: () => ({}), shows: () => "docker swarm init" },
  list_kubernetes_workloads: { with: () => ({}), shows: () => "No Kubernetes cluster is watched" },
  list_kubernetes_pods: { with: () => ({}), shows: () => "No Kubernetes cluster is watched" },
  list_kubernetes_nodes: { with: () => ({}), shows: () => "No Kubernetes cluster is watched" },
  list_kubernetes_events: { with: () => ({}), shows: () => "No Kubernetes cluster is watched" },
  list_audit_entries: { with: () => ({ entity_type: "heartbeat" }), shows: () => HEARTBEAT },
  acknowledge_alert: {
    with: ({ alert }) => ({ alert_id: alert.id, acknowledged_by: "Mia" }),
    shows: ({ alert }) => `"id":${alert.id},`,
  },
};

/** What can be called where there is a swarm or a cluster alone; see src/monitoring/swarm and kubernetes. */
const OF_CLUSTERS = ["get_swarm_service", "get_swarm_service_logs", "get_kubernetes_workload"];

/** The names of all tools, as a list of them is sorted. */
export const TOOL_NAMES: readonly string[] = [...Object.keys(TOOL_ROWS), ...OF_CLUSTERS].sort();

/** Calls every tool, and holds each answer to its row. */
export async function callEachTool(
  known: Known,
  call: (name: string, args: Record<string, unknown>) => Promise<Pick<CallToolResult, "content" | "isError" | "structuredContent">>,
): Promise<void> {
  for (const [name, row] of Object.entries(TOOL_ROWS)) checkAnswer(name, known, await call(name, row.with(known)));
}

/** Holds an answer to the row of its tool: what it shows, and that the text is the same JSON. */
export function checkAnswer(
  name: string,
  known: Known,
  { content, isError, structuredContent }: Pick<CallToolResult, "content" | "isError" | "structuredContent">,
): void {
  const [text] = content;
  assert.equal(text?.type, "text", name);
  assert.ok(isError !== true, `${name}: ${text.text}`);
  assert.deepEqual(JSON.parse(text.text), structuredContent, `${name}: the text says something else than the structured answer`);
  const shown = TOOL_ROWS[name]?.shows(known) ?? "";
  assert.ok(JSON.stringify(structuredContent).includes(shown), `${name} does not show ${shown}: ${text.text.slice(0, 3000)}`);
}
