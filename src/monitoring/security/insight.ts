import ipaddr from "ipaddr.js";
import { type ContainerState, INSIGHT_SEVERITIES, type InsightSeverity, type InsightType } from "../../events.ts";
import type { Port } from "../../observations.ts";

/** Where a port of a container is published on its host. */
export interface Binding {
  hostIp: string;
  hostPort: number;
}

/** A published port, with every place where it is. */
export interface PublishedPort {
  port: number;
  protocol: Port["protocol"];
  bindings: readonly Binding[];
}

/** What a cluster says of one of its workloads. */
export interface ClusterExposure {
  /** Ports of its services that are open on every node. */
  nodePorts: readonly PublishedPort[];
  /** Ports of its services that are behind a load balancer. */
  loadBalanced: readonly PublishedPort[];
  /** No policy of its namespace restricts what comes in. */
  lacksNetworkPolicy: boolean;
  /** Of the nodes, as it mounts them. */
  hostPaths: readonly string[];
  /** Names of containers. */
  runsAsRoot: readonly string[];
  withoutLimits: readonly string[];
  /** Images without a tag, or with `latest`. */
  latestTags: readonly string[];
}

/** Who reaches an address of the host: everybody on any of its networks, one network, or the host alone. */
export type Reach = "every network" | "one network" | "host";

export function reachOf(hostIp: string): Reach {
  if (!ipaddr.isValid(hostIp)) return "one network";
  const range = ipaddr.process(hostIp).range();
  if (range === "unspecified") return "every network";
  return range === "loopback" ? "host" : "one network";
}

/** Published ports, each once, in order. A container with its host's network, another's or none publishes nothing, whatever was asked for. */
export function publishedPorts({ ports, networkMode }: { ports: readonly Port[]; networkMode: string | null }): PublishedPort[] {
  if (networkMode === "host" || networkMode === "none" || networkMode?.startsWith("container:") === true) return [];
  const byKey = new Map<string, { port: number; protocol: Port["protocol"]; bindings: Binding[] }>();
  for (const { containerPort, protocol, hostIp, hostPort } of ports) {
    if (hostIp === null || hostPort === null) continue;
    const key = portKey(containerPort, protocol);
    const known = byKey.get(key) ?? { port: containerPort, protocol, bindings: [] };
    known.bindings.push({ hostIp, hostPort });
    byKey.set(key, known);
  }
  return [...byKey.values()];
}

/** `5432/tcp`. Source: specification, Security insight and acknowledgment. */
function portKey(port: number, protocol: string): string {
  return `${port}/${protocol}`;
}

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

/** The facts of a container that the rules check. */
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
 * What is found of a container. `known` is what was found before: between two runs it shows no ports. `nodePorts` are those of its
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
  if (container.privileged) insights.push({ type: "privileged_container", ...NO_PORT });
  if (container.networkMode === "host") insights.push({ type: "host_network_mode", ...NO_PORT });
  return cluster === undefined ? insights : [...insights, ...ofWorkload(cluster)];
}

const NO_PORT = { key: "", bindings: [], database: null };

function ofWorkload({ loadBalanced, lacksNetworkPolicy, hostPaths, runsAsRoot, withoutLimits, latestTags }: ClusterExposure): Insight[] {
  const insights = loadBalanced.map(({ port, protocol, bindings }): Insight => {
    return { type: "service_load_balancer", key: portKey(port, protocol), bindings, database: null };
  });
  const about = (type: InsightType, names: readonly string[]): void => {
    if (names.length > 0) insights.push({ type, ...NO_PORT, names });
  };
  if (lacksNetworkPolicy) insights.push({ type: "missing_network_policy", ...NO_PORT });
  about("host_path_mount", hostPaths);
  about("runs_as_root", runsAsRoot);
  about("missing_limits", withoutLimits);
  about("latest_tag", latestTags);
  return insights;
}

/** What distinguishes a finding from the others of its container. */
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

/** Ports on which databases and their like listen, by what they are called. TCP, but for memcached. Ports that other things use as well are left out. */
const DATABASES: ReadonlyMap<number, string> = new Map([
  [1433, "SQL Server"],
  [1521, "Oracle Database"],
  [2379, "etcd"],
  [2380, "etcd"],
  [3050, "Firebird"],
  [3306, "MySQL or MariaDB"],
  [5432, "PostgreSQL"],
  [5984, "CouchDB"],
  [6333, "Qdrant"],
  [6379, "Redis or Valkey"],
  [7474, "Neo4j"],
  [7687, "Neo4j"],
  [8086, "InfluxDB"],
  [8091, "Couchbase"],
  [8529, "ArangoDB"],
  [9042, "Cassandra or ScyllaDB"],
  [9160, "Cassandra"],
  [9200, "Elasticsearch or OpenSearch"],
  [9300, "Elasticsearch or OpenSearch"],
  [11210, "Couchbase"],
  [11211, "memcached"],
  [19530, "Milvus"],
  [26257, "CockroachDB"],
  [26379, "Redis Sentinel"],
  [27017, "MongoDB"],
  [27018, "MongoDB"],
  [27019, "MongoDB"],
  [28015, "RethinkDB"],
  [33060, "MySQL"],
]);

const MEMCACHED = 11211;

/** Which database usually listens on a port; undefined when none does. */
export function databaseAt(port: number, protocol: string): string | undefined {
  return protocol === "tcp" || (protocol === "udp" && port === MEMCACHED) ? DATABASES.get(port) : undefined;
}
