import ipaddr from "ipaddr.js";
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
export function portKey(port: number, protocol: string): string {
  return `${port}/${protocol}`;
}
