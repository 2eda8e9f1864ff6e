import type { KubernetesService } from "../../observations/kubernetes.ts";
import type { KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import type { WorkloadDetail } from "./answers.ts";
import type { Inventory } from "./inventory.ts";

/** A port that is open beyond its cluster. */
export interface ExposedPort {
  port: number;
  protocol: "tcp" | "udp" | "sctp";
  bindings: { hostIp: string; hostPort: number }[];
}

/** How a workload can be reached, by its services and its namespace. */
export interface WorkloadExposure {
  /** Open on every node. */
  nodePorts: ExposedPort[];
  /** Behind a load balancer. */
  loadBalanced: ExposedPort[];
  /** No policy of its namespace restricts what comes in. */
  lacksNetworkPolicy: boolean;
  /** Of the nodes, as it mounts them. */
  hostPaths: string[];
  /** Names of containers. */
  runsAsRoot: string[];
  withoutLimits: string[];
  /** Images without a tag, or with `latest`. */
  latestTags: string[];
}

export function exposureOf(workloadId: string, { objects, servicesOf, namespaceNamed }: Inventory): WorkloadExposure | undefined {
  const workload = objects.workloads.get(workloadId);
  if (workload === undefined) return undefined;
  const services = servicesOf(workloadId);
  return {
    nodePorts: services.filter(({ type }) => type === "NodePort").flatMap(nodePortsOf),
    loadBalanced: services.filter(({ type }) => type === "LoadBalancer").flatMap(loadBalancedPortsOf),
    lacksNetworkPolicy: namespaceNamed(workload.namespace)?.hasNetworkPolicy === false,
    hostPaths: workload.security?.hostPaths ?? [],
    runsAsRoot: workload.security?.runsAsRoot ?? [],
    withoutLimits: workload.security?.withoutMemoryLimit ?? [],
    latestTags: [...new Set(workload.containers.map(({ image }) => image).filter(hasLatestTag))],
  };
}

function nodePortsOf({ ports }: KubernetesService): ExposedPort[] {
  return ports.flatMap(({ port, protocol, nodePort }) =>
    nodePort === null ? [] : [{ port, protocol, bindings: [{ hostIp: "0.0.0.0", hostPort: nodePort }] }],
  );
}

/** One that has no address yet is on its way to have one. */
function loadBalancedPortsOf({ ports, externalAddresses }: KubernetesService): ExposedPort[] {
  return ports.map(({ port, protocol }) => ({
    ...{ port, protocol },
    bindings: externalAddresses.map((hostIp) => ({ hostIp, hostPort: port })),
  }));
}

/** The security settings of a workload; null when its pod template is not seen. */
export function securityOf(
  { security, containers, namespace }: KubernetesWorkload,
  { namespaceNamed }: Inventory,
): WorkloadDetail["security"] {
  if (security === null) return null;
  const { privileged, hostNetwork, hostPid, hostIpc, hostPaths, hostPorts, runsAsRoot, withoutMemoryLimit, withoutCpuLimit } = security;
  return {
    ...{ privileged, host_network: hostNetwork, host_pid: hostPid, host_ipc: hostIpc, host_paths: hostPaths, host_ports: hostPorts },
    ...{ runs_as_root: runsAsRoot, without_memory_limit: withoutMemoryLimit, without_cpu_limit: withoutCpuLimit },
    ...{
      added_capabilities: security.addedCapabilities,
      service_account: security.serviceAccount,
      automounts_token: security.automountsToken,
    },
    latest_tag: containers.filter(({ image }) => hasLatestTag(image)).map(({ name }) => name),
    namespace_level: namespaceNamed(namespace)?.podSecurity ?? null,
  };
}

/** Whether an image has no tag, or `latest`: what runs then depends on when it was pulled. One with a digest is always the same. */
function hasLatestTag(image: string): boolean {
  if (image.includes("@")) return false;
  const last = image.slice(image.lastIndexOf("/") + 1);
  return !last.includes(":") || last.endsWith(":latest");
}
