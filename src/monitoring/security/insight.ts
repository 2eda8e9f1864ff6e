import { type ContainerState, INSIGHT_SEVERITIES, type InsightSeverity, type InsightType } from "../../events.ts";
import type { Port } from "../../observations.ts";
import { databaseAt } from "./databases.ts";
import { type Binding, type ClusterExposure, type PublishedPort, portKey, publishedPorts, reachOf } from "./exposure.ts";

/** What a finding counts for in the posture. */
export type InsightCategory = "network" | "configuration";

/** Every kind of finding. Source: specification, Security insight and acknowledgment. */
export const INSIGHTS: Readonly<Record<InsightType, { severity: InsightSeverity; category: InsightCategory; title: string }>> = {
  port_exposed_all_interfaces: { severity: "critical", category: "network", title: "Port exposed on all interfaces" },
  database_port_exposed: { severity: "critical", category: "network", title: "Database port published" },
  privileged_container: { severity: "critical", category: "configuration", title: "Privileged container" },
  host_network_mode: { severity: "high", category: "network", title: "Host network mode" },
  service_load_balancer: { severity: "medium", category: "network", title: "Service with a load balancer" },
  service_node_port: { severity: "medium", category: "network", title: "Service on a node port" },
  missing_network_policy: { severity: "medium", category: "network", title: "No network policy" },
  host_path_mount: { severity: "high", category: "configuration", title: "Path of the node mounted" },
  runs_as_root: { severity: "medium", category: "configuration", title: "Runs as root" },
  missing_limits: { severity: "medium", category: "configuration", title: "No resource limits" },
  latest_tag: { severity: "medium", category: "configuration", title: "Image without a fixed version" },
};

/** Something about a container that exposes it, or its host by it. */
export interface Insight {
  type: InsightType;
  /** `<port>/<protocol>` of the container, else empty: with the type, what an acknowledgment is given for. */
  key: string;
  /** Of a port: where it is published so. */
  bindings: readonly Binding[];
  /** Of a database port: what usually listens there. */
  database: string | null;
  /** What it is about in the container, such as paths or containers of a pod. */
  names?: readonly string[];
  /** Of a database port: every node of its cluster has it open, by a service. */
  everyNode?: true;
}

/** What of a container the rules look at. */
export interface Exposed {
  state: ContainerState;
  ports: readonly Port[];
  networkMode: string | null;
  privileged: boolean;
  settings: { ignored: boolean };
}

/** A container exposes something only while it runs: then its ports are open, and what is in it can act. One that restarts is about to. */
const EXPOSED_STATES: ReadonlySet<ContainerState> = new Set(["running", "paused", "restarting"]);

/** Whether a container is looked at: it runs, and nobody asked for it to be ignored. */
export function isAssessed({ state, settings }: Pick<Exposed, "state" | "settings">): boolean {
  return EXPOSED_STATES.has(state) && !settings.ignored;
}

/**
 * What is found of a container. `known` is what was found before: between two runs it has no ports of its own to look at. `nodePorts` are those of its
 * service that every node of its swarm has open; `cluster` is what Kubernetes says of the workload that it stands for.
 */
export function insightsOf(
  container: Exposed,
  known: readonly Insight[] = [],
  { nodePorts = [], cluster }: { nodePorts?: readonly PublishedPort[]; cluster?: ClusterExposure | undefined } = {},
): Insight[] {
  if (!isAssessed(container)) return [];
  if (container.state === "restarting" && known.length > 0) return [...known];
  const insights: Insight[] = [];
  for (const { port, protocol, bindings } of publishedPorts(container)) {
    const key = portKey(port, protocol);
    const everywhere = bindings.filter(({ hostIp }) => reachOf(hostIp) === "every network");
    if (everywhere.length > 0) insights.push({ type: "port_exposed_all_interfaces", key, bindings: everywhere, database: null });
    const reachable = bindings.filter(({ hostIp }) => reachOf(hostIp) !== "host");
    const database = databaseAt(port, protocol);
    if (database !== undefined && reachable.length > 0) {
      insights.push({ type: "database_port_exposed", key, bindings: reachable, database });
    }
  }
  for (const { port, protocol, bindings } of [...nodePorts, ...(cluster?.nodePorts ?? [])]) {
    const key = portKey(port, protocol);
    const database = databaseAt(port, protocol);
    if (database !== undefined) insights.push({ type: "database_port_exposed", key, bindings, database, everyNode: true });
    insights.push({ type: "service_node_port", key, bindings, database: null });
  }
  if (container.privileged) insights.push({ type: "privileged_container", key: "", bindings: [], database: null });
  if (container.networkMode === "host") insights.push({ type: "host_network_mode", key: "", bindings: [], database: null });
  return cluster === undefined ? insights : [...insights, ...ofWorkload(cluster)];
}

function ofWorkload({ loadBalanced, lacksNetworkPolicy, hostPaths, runsAsRoot, withoutLimits, latestTags }: ClusterExposure): Insight[] {
  const insights: Insight[] = loadBalanced.map(({ port, protocol, bindings }) => ({
    ...{ type: "service_load_balancer", key: portKey(port, protocol), bindings, database: null },
  }));
  const about = (type: InsightType, names: readonly string[]): void => {
    if (names.length > 0) insights.push({ type, key: "", bindings: [], database: null, names });
  };
  if (lacksNetworkPolicy) insights.push({ type: "missing_network_policy", key: "", bindings: [], database: null });
  about("host_path_mount", hostPaths);
  about("runs_as_root", runsAsRoot);
  about("missing_limits", withoutLimits);
  about("latest_tag", latestTags);
  return insights;
}

/** What tells a finding from the others of its container. */
export function findingText({ type, key }: Pick<Insight, "type" | "key">): string {
  return `${type} ${key}`;
}

/** The worst first; otherwise in the order of the kinds. */
export function compareSeverity(a: InsightSeverity, b: InsightSeverity): number {
  return INSIGHT_SEVERITIES.indexOf(a) - INSIGHT_SEVERITIES.indexOf(b);
}

export function worstOf(severities: Iterable<InsightSeverity>): InsightSeverity | null {
  const all = new Set(severities);
  return INSIGHT_SEVERITIES.find((severity) => all.has(severity)) ?? null;
}

/** What is in one list and not in the other. */
export function difference(before: readonly Insight[], after: readonly Insight[]): { added: Insight[]; removed: Insight[] } {
  const had = new Set(before.map(findingText));
  const has = new Set(after.map(findingText));
  return {
    added: after.filter((insight) => !had.has(findingText(insight))),
    removed: before.filter((insight) => !has.has(findingText(insight))),
  };
}
