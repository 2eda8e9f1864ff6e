import type {
  KubernetesCertificate,
  KubernetesClaim,
  KubernetesNamespace,
  KubernetesNode,
  KubernetesRoute,
  KubernetesService,
} from "../../observations/kubernetes.ts";
import type { KubernetesPod, KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import type { CertificateRecord, ClaimRecord, RouteRecord, ServiceRecord } from "./api.ts";
import type { ClusterRecord, NamespaceRecord, NodeRecord } from "./answers.ts";
import { restartsOf } from "./changes.ts";
import { explainNode } from "./explain.ts";
import { fullness } from "./object-problems.ts";
import { nameOf } from "./problem.ts";
import { amountsOf, problemRecord, problemsOf, type RecordContext, textOf, amountsRecord, lasting, sumOf, usageRecord } from "./records.ts";
import { isCurrent, isUnhealthy, nodeState, pressuresOf, workloadState } from "./state.ts";

export function clusterRecord({ cluster, problems }: Pick<RecordContext, "cluster" | "problems">): ClusterRecord {
  const { id, inventory, version, isObserved, observedAt, reason, agentId, hosts, unseen } = cluster;
  const { namespaces, nodes, workloads, pods } = inventory.objects;
  const current = [...pods.values()].filter(isCurrent);
  return {
    ...{ id, version, observed: isObserved, observed_at: observedAt.toISOString(), reason, agent_id: agentId },
    hosts: hosts.map((host) => ({ agent_id: host.agentId, standing: host.standing, reason: host.reason })),
    ...{ unseen, namespaces: namespaces.size, nodes: nodes.size },
    nodes_ready: [...nodes.values()].filter((node) => nodeState(node) === "ready").length,
    workloads: workloads.size,
    workloads_unhealthy: unhealthyOf([...workloads.values()], cluster),
    pods: current.length,
    pods_ready: current.filter(({ ready }) => ready).length,
    problems: problems.filter(({ entity_type: type }) => type === "kubernetes_cluster").map(problemRecord),
  };
}

function unhealthyOf(workloads: readonly KubernetesWorkload[], { inventory }: RecordContext["cluster"]): number {
  return workloads.filter((each) => isUnhealthy(workloadState(each, inventory.podsOf(each.id)))).length;
}

/** What is in a namespace. */
export interface InNamespace {
  workloads: readonly KubernetesWorkload[];
  pods: readonly KubernetesPod[];
}

export function namespaceRecord(
  namespace: KubernetesNamespace,
  { workloads, pods }: InNamespace,
  { cluster }: RecordContext,
): NamespaceRecord {
  const { id, name, phase, podSecurity, hasNetworkPolicy, createdAt } = namespace;
  const current = pods.filter(isCurrent);
  return {
    ...{ id, cluster_id: cluster.id, name, phase, pod_security: podSecurity, has_network_policy: hasNetworkPolicy },
    ...{ workloads: workloads.length, workloads_unhealthy: unhealthyOf(workloads, cluster) },
    ...{ pods: current.length, pods_ready: current.filter(({ ready }) => ready).length },
    restarts: pods.reduce((sum, pod) => sum + restartsOf(pod), 0),
    ...amountsOf(current),
    created_at: textOf(createdAt),
  };
}

export function nodeRecord(node: KubernetesNode, { cluster, problems }: RecordContext): NodeRecord {
  const { id, name, unschedulable, roles, conditions, taints, capacity, allocatable, usage, kubeletVersion, createdAt } = node;
  const pods = cluster.inventory.podsOn(name).filter(({ phase }) => phase !== "Succeeded" && phase !== "Failed");
  const containers = pods.flatMap((pod) => lasting(pod.containers));
  return {
    ...{ id, cluster_id: cluster.id, name, state: nodeState(node), schedulable: !unschedulable, message: explainNode(node), roles },
    conditions: conditions.map(({ type, status, reason, message, since }) => ({ type, status, reason, message, since: textOf(since) })),
    ...{ taints, pressures: pressuresOf(node) },
    capacity: { ...amountsRecord(capacity), pods: capacity.pods },
    allocatable: { ...amountsRecord(allocatable), pods: allocatable.pods },
    requests: amountsRecord(sumOf(containers.map(({ requests }) => requests))),
    limits: amountsRecord(sumOf(containers.map(({ limits }) => limits))),
    usage: usageRecord(usage),
    pods: pods.length,
    kubelet_version: kubeletVersion,
    version_skew: skewOf(cluster.version, kubeletVersion),
    ...{ os_image: node.osImage, container_runtime: node.containerRuntime, internal_ip: node.internalIp },
    problems: problemsOf(problems, "kubernetes_node", id),
    created_at: textOf(createdAt),
  };
}

/** A kubelet may be three minor versions older than the API server, and never newer; two before 1.28. Source: Kubernetes version skew policy. */
export function skewOf(server: string | null, kubelet: string | null): NodeRecord["version_skew"] {
  const [one, other] = [minorOf(server), minorOf(kubelet)];
  if (one === undefined || other === undefined || one.major !== other.major) return null;
  const minor = one.minor - other.minor;
  return { minor, supported: minor >= 0 && minor <= (one.minor >= 28 ? 3 : 2) };
}

function minorOf(version: string | null): { major: number; minor: number } | undefined {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})(?!\d)/.exec(version ?? "") ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

type Leads = ServiceRecord["workloads"];

function leadsTo(ids: Iterable<string>, { cluster }: RecordContext): Leads {
  return [...new Set(ids)].flatMap((id) => {
    const workload = cluster.inventory.objects.workloads.get(id);
    return workload === undefined ? [] : [{ id, kind: workload.kind, name: workload.name }];
  });
}

export function serviceRecord(service: KubernetesService, context: RecordContext): ServiceRecord {
  const { id, namespace, name, type, ports, externalAddresses, workloadIds, createdAt } = service;
  return {
    ...{ id, cluster_id: context.cluster.id, namespace, name, type },
    ports: ports.map((port) => ({
      name: port.name,
      port: port.port,
      node_port: port.nodePort,
      protocol: port.protocol,
      target: port.target,
    })),
    external_addresses: externalAddresses,
    workloads: leadsTo(workloadIds, context),
    created_at: textOf(createdAt),
  };
}

/** Services by `namespace/name`. */
export function servicesByName({ inventory }: RecordContext["cluster"]): ReadonlyMap<string, KubernetesService> {
  return new Map([...inventory.objects.services.values()].map((each) => [nameOf(each), each]));
}

export function routeRecord(route: KubernetesRoute, services: ReadonlyMap<string, KubernetesService>, context: RecordContext): RouteRecord {
  const { id, namespace, name, kind, rules, createdAt } = route;
  const workloads = rules.flatMap(({ serviceName }) =>
    serviceName === null ? [] : (services.get(nameOf({ namespace, name: serviceName }))?.workloadIds ?? []),
  );
  return {
    ...{ id, cluster_id: context.cluster.id, namespace, name, kind },
    rules: rules.map(({ host, path, tls, serviceName }) => ({
      host,
      path,
      tls,
      service_name: serviceName,
      url: urlOf({ host, path, tls }, kind),
    })),
    workloads: leadsTo(workloads, context),
    created_at: textOf(createdAt),
  };
}

/** What can be asked for over HTTP: of gRPC and TLS routes there is none. */
function urlOf(
  { host, path, tls }: Pick<KubernetesRoute["rules"][number], "host" | "path" | "tls">,
  kind: KubernetesRoute["kind"],
): string | null {
  if (kind === "GRPCRoute" || kind === "TLSRoute" || !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host)) return null;
  const plain = /^\/[\w\-./~%]*$/.test(path) ? path : "/";
  return `${tls ? "https" : "http"}://${host.toLowerCase()}${plain}`;
}

/** `podsOf` answers the pods that mount a claim. */
export function claimRecord(claim: KubernetesClaim, pods: readonly KubernetesPod[], context: RecordContext): ClaimRecord {
  const { id, namespace, name, phase, storageClass, capacityBytes, sizeBytes, usedBytes, createdAt } = claim;
  const share = fullness(claim);
  return {
    ...{ id, cluster_id: context.cluster.id, namespace, name, phase, storage_class: storageClass },
    ...{ capacity_bytes: capacityBytes, size_bytes: sizeBytes, used_bytes: usedBytes, used_percent: share === null ? null : share * 100 },
    workloads: leadsTo(
      pods.flatMap(({ workloadId }) => workloadId ?? []),
      context,
    ),
    problems: problemsOf(context.problems, "kubernetes_claim", id),
    created_at: textOf(createdAt),
  };
}

export function certificateRecord(certificate: KubernetesCertificate, { cluster, problems }: RecordContext): CertificateRecord {
  const { id, namespace, name, subject, sans, issuer, notBefore, expiresAt, chainError, createdAt } = certificate;
  return {
    ...{ id, cluster_id: cluster.id, namespace, name, subject, sans, issuer },
    ...{ not_before: notBefore.toISOString(), expires_at: expiresAt.toISOString(), chain_error: chainError },
    problems: problemsOf(problems, "kubernetes_certificate", id),
    created_at: textOf(createdAt),
  };
}

export function byNamespaceAndName(a: { namespace: string; name: string }, b: { namespace: string; name: string }): number {
  return a.namespace.localeCompare(b.namespace, "en") || a.name.localeCompare(b.name, "en", { numeric: true });
}
