/**
 * What a host sees of the Kubernetes cluster that it is in, or is pointed at; see ../observations.ts. Words are those of Kubernetes.
 * Source: contract, section 15; the Kubernetes API reference.
 */
import type { KubernetesObject, KubernetesPod, KubernetesWorkload, NamespacedObject, ResourceAmounts } from "./kubernetes-workloads.ts";

/**
 * How a host can show its cluster: `watching` all that it may; `standby` nothing, since another agent in the cluster was elected; `denied` nothing,
 * since its credentials are refused or allow nothing; `unreachable` nothing, since the API server does not answer.
 */
export const KUBERNETES_STANDINGS = ["watching", "standby", "denied", "unreachable"] as const;
export type KubernetesStanding = (typeof KUBERNETES_STANDINGS)[number];

export interface NodeCondition {
  /** As in `Ready`, `MemoryPressure`. */
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string | null;
  message: string | null;
  since: Date | null;
}

export interface KubernetesNode extends KubernetesObject {
  conditions: NodeCondition[];
  taints: { key: string; value: string | null; effect: string }[];
  unschedulable: boolean;
  roles: string[];
  capacity: ResourceAmounts & { pods: number | null };
  allocatable: ResourceAmounts & { pods: number | null };
  usage: ResourceAmounts | null;
  kubeletVersion: string | null;
  osImage: string | null;
  containerRuntime: string | null;
  internalIp: string | null;
}

export interface KubernetesNamespace extends KubernetesObject {
  phase: "Active" | "Terminating";
  /** By its label `pod-security.kubernetes.io/enforce`; null where there is none. */
  podSecurity: "privileged" | "baseline" | "restricted" | null;
  /** Whether a policy of it restricts what comes in; null where that may not be read. */
  hasNetworkPolicy: boolean | null;
}

export interface KubernetesService extends NamespacedObject {
  type: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
  ports: { name: string | null; port: number; nodePort: number | null; protocol: "tcp" | "udp" | "sctp"; target: string }[];
  /** Addresses that a load balancer gave it, and those that are written in it. */
  externalAddresses: string[];
  /** Workloads whose pods it selects. */
  workloadIds: string[];
}

/** An Ingress, or a route of the Gateway API. */
export interface KubernetesRoute extends NamespacedObject {
  kind: "Ingress" | "HTTPRoute" | "GRPCRoute" | "TLSRoute";
  /** A host may be empty: any. */
  rules: { host: string; path: string; tls: boolean; serviceName: string | null }[];
}

export interface KubernetesClaim extends NamespacedObject {
  phase: "Pending" | "Bound" | "Lost";
  storageClass: string | null;
  /** Of the volume. */
  capacityBytes: number | null;
  /** By the kubelet; null where that is not known. */
  usedBytes: number | null;
  /** What the file system of the volume holds; differs from what was asked for. */
  sizeBytes: number | null;
}

/** A Secret of the type kubernetes.io/tls. Its key is never read further than this. */
export interface KubernetesCertificate extends NamespacedObject {
  subject: string;
  sans: string[];
  issuer: string;
  notBefore: Date;
  expiresAt: Date;
  /** What is wrong with its chain, as a sentence; null when nothing is. */
  chainError: string | null;
}

/** One of many that are alike, as the cluster folds them. */
export interface KubernetesEvent extends NamespacedObject {
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  /** What it is about. */
  about: { kind: string; name: string; id: string | null };
  source: string | null;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** Objects by kind. */
export interface KubernetesObjects {
  namespaces: KubernetesNamespace[];
  nodes: KubernetesNode[];
  workloads: KubernetesWorkload[];
  pods: KubernetesPod[];
  services: KubernetesService[];
  routes: KubernetesRoute[];
  claims: KubernetesClaim[];
  certificates: KubernetesCertificate[];
  events: KubernetesEvent[];
}
export type KubernetesObjectKind = keyof KubernetesObjects;
export const KUBERNETES_OBJECT_KINDS = [
  "namespaces",
  "nodes",
  "workloads",
  "pods",
  "services",
  "routes",
  "claims",
  "certificates",
  "events",
] as const satisfies readonly KubernetesObjectKind[];

export function noObjects(): KubernetesObjects {
  return {
    ...{ namespaces: [], nodes: [], workloads: [], pods: [] },
    ...{ services: [], routes: [], claims: [], certificates: [], events: [] },
  };
}

/** What a host sees of its cluster: all of it, or what changed since its last report. */
export interface KubernetesSighting {
  standing: KubernetesStanding;
  /** The uid of the namespace kube-system; null until it was read, or where it may not be. */
  clusterId: string | null;
  /** As in `v1.29.2`; null until it was read. */
  version: string | null;
  /** Why nothing is seen, and what to do, as a sentence; null while watching. */
  reason: string | null;
  /** Kinds that are not seen now: nothing of them counts as gone. Each with a sentence that names the rule that would give it. */
  unseen: { kind: KubernetesObjectKind; reason: string }[];
  /** Whether `objects` is all that there is, so that what is missing is gone. A sighting without news says that all still holds. */
  isComplete: boolean;
  /** New ones and those that changed, whole. Empty unless watching. */
  objects: KubernetesObjects;
  /** What was removed since, by kind: uids. Empty when complete. */
  removed: Partial<Record<KubernetesObjectKind, string[]>>;
}
