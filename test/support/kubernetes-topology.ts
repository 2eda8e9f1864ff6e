import type {
  KubernetesCertificate,
  KubernetesClaim,
  KubernetesEvent,
  KubernetesNamespace,
  KubernetesNode,
  KubernetesObjects,
  KubernetesRoute,
  KubernetesService,
  KubernetesSighting,
} from "../../src/observations/kubernetes.ts";
import type { KubernetesPod, KubernetesWorkload, PodContainer } from "../../src/observations/kubernetes-workloads.ts";

const AT = new Date("2026-03-01T11:00:00Z");
const NO_AMOUNTS = { cpuCores: null, memoryBytes: null };

/** The Deployment `shop/web` of one pod that is ready by default. */
export function workload(facts: Partial<KubernetesWorkload> = {}): KubernetesWorkload {
  const name = facts.name ?? "web";
  return {
    ...{ id: `w-${name}`, name, namespace: "shop", kind: "Deployment", createdAt: AT, labels: {} },
    settings: { ignored: false, group: null, alertSeverity: "warning", alertChannels: [], alertTags: [] },
    containers: [{ name: "app", kind: "app", image: "shop/web:1", requests: NO_AMOUNTS, limits: NO_AMOUNTS }],
    replicas: replicas(1),
    rollout: { state: "complete", reason: "NewReplicaSetAvailable", message: null },
    ...{ isOutdated: false, job: null, cronJob: null, autoscaler: null, security: null, revision: "revision 1" },
    ...facts,
  };
}

/** So many pods asked for, of which so many are ready. */
export function replicas(desired: number, ready = desired): KubernetesWorkload["replicas"] {
  return { desired, current: desired, ready, updated: desired, available: ready };
}

export function container(facts: Partial<PodContainer> = {}): PodContainer {
  return {
    ...{ name: "app", kind: "app", image: "shop/web:1", imageDigest: null, state: "running", reason: null, message: null, ready: true },
    ...{ restartCount: 0, startedAt: AT, end: null, lastEnd: null, requests: NO_AMOUNTS, limits: NO_AMOUNTS },
    ...facts,
  };
}

/** A pod of `shop/web` that runs on the first node. */
export function pod(facts: Partial<KubernetesPod> = {}): KubernetesPod {
  const name = facts.name ?? "web-1";
  return {
    ...{ id: `p-${name}`, name, namespace: "shop", createdAt: AT, workloadId: "w-web", jobName: null, nodeName: "node-1" },
    ...{ phase: "Running", status: "Running", reason: null, message: null, ready: true, unschedulable: null },
    containers: [container()],
    ...{ podIp: "10.1.0.1", qosClass: "BestEffort", claims: [], startedAt: AT, deletingSince: null, usage: null },
    ...facts,
  };
}

/** A pod whose container waits, as for an image. */
export function waiting(reason: string, facts: Partial<PodContainer> = {}): Partial<KubernetesPod> {
  return {
    ...{ phase: reason === "CrashLoopBackOff" ? "Running" : "Pending", status: reason, ready: false },
    containers: [container({ state: "waiting", reason, ready: false, startedAt: null, ...facts })],
  };
}

/** One that is ready. */
export function node(number = 1, facts: Partial<KubernetesNode> = {}): KubernetesNode {
  return {
    ...{ id: `n-${number}`, name: `node-${number}`, createdAt: AT },
    conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: null, since: AT }],
    ...{ taints: [], unschedulable: false, roles: [], usage: null },
    capacity: { cpuCores: 4, memoryBytes: 8 * 1024 ** 3, pods: 110 },
    allocatable: { cpuCores: 3.8, memoryBytes: 7 * 1024 ** 3, pods: 110 },
    ...{ kubeletVersion: "v1.30.2", osImage: "Debian", containerRuntime: "containerd://1.7", internalIp: `10.0.0.${number}` },
    ...facts,
  };
}

export function notReady(number = 1): KubernetesNode {
  const conditions: KubernetesNode["conditions"] = [
    { type: "Ready", status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status.", since: AT },
  ];
  return node(number, { conditions });
}

export function namespace(facts: Partial<KubernetesNamespace> = {}): KubernetesNamespace {
  const name = facts.name ?? "shop";
  return { id: `ns-${name}`, name, createdAt: AT, phase: "Active", podSecurity: null, hasNetworkPolicy: null, ...facts };
}

export function claim(facts: Partial<KubernetesClaim> = {}): KubernetesClaim {
  return {
    ...{ id: "c-data", name: "data", namespace: "shop", createdAt: AT, phase: "Bound", storageClass: "standard" },
    ...{ capacityBytes: 1000, usedBytes: 100, sizeBytes: 1000 },
    ...facts,
  };
}

export function certificate(facts: Partial<KubernetesCertificate> = {}): KubernetesCertificate {
  return {
    ...{ id: "t-web", name: "web-tls", namespace: "shop", createdAt: AT, subject: "CN=shop.example", sans: ["shop.example"] },
    ...{ issuer: "CN=Test", notBefore: AT, expiresAt: new Date("2026-12-01T00:00:00Z"), chainError: null },
    ...facts,
  };
}

/** A ClusterIP service of `shop/web`. */
export function service(facts: Partial<KubernetesService> = {}): KubernetesService {
  const name = facts.name ?? "web";
  return {
    ...{ id: `s-${name}`, name, namespace: "shop", createdAt: AT, type: "ClusterIP", externalAddresses: [], workloadIds: ["w-web"] },
    ports: [{ name: "http", port: 80, nodePort: null, protocol: "tcp", target: "8080" }],
    ...facts,
  };
}

/** An Ingress to the service `shop/web`. */
export function ingress(facts: Partial<KubernetesRoute> = {}): KubernetesRoute {
  const name = facts.name ?? "web";
  return {
    ...{ id: `i-${name}`, name, namespace: "shop", createdAt: AT, kind: "Ingress" },
    rules: [{ host: "shop.example", path: "/", tls: true, serviceName: "web" }],
    ...facts,
  };
}

/** A warning about the first pod of `shop/web`. */
export function clusterEvent(facts: Partial<KubernetesEvent> = {}): KubernetesEvent {
  const name = facts.name ?? "web-1.17a";
  return {
    ...{ id: `e-${name}`, name, namespace: "shop", createdAt: AT, type: "Warning", reason: "BackOff", source: "kubelet" },
    message: "Back-off restarting failed container",
    about: { kind: "Pod", name: "web-1", id: "p-web-1" },
    ...{ count: 1, firstAt: AT, lastAt: AT },
    ...facts,
  };
}

export function nothing(): KubernetesObjects {
  return {
    ...{ namespaces: [], nodes: [], workloads: [], pods: [] },
    ...{ services: [], routes: [], claims: [], certificates: [], events: [] },
  };
}

/** A namespace with a workload, its pod and the node that it is on. */
export function objects(facts: Partial<KubernetesObjects> = {}): KubernetesObjects {
  return { ...nothing(), namespaces: [namespace()], nodes: [node()], workloads: [workload()], pods: [pod()], ...facts };
}

/** All that a host sees of its cluster. */
export function sighting(facts: Partial<KubernetesSighting> = {}): KubernetesSighting {
  return {
    ...{ standing: "watching", clusterId: "c1", version: "v1.30.2", reason: null, unseen: [], isComplete: true },
    ...{ objects: objects(), removed: {} },
    ...facts,
  };
}

/** A host that sees nothing of its cluster. */
export function cutOff(standing: "unreachable" | "denied" | "standby", reason = "The API server does not answer."): KubernetesSighting {
  return sighting({ standing, clusterId: null, version: null, reason, isComplete: false, objects: nothing() });
}
