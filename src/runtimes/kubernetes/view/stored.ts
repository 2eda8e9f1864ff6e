/** What is kept of each kind of object while it is there. */
import type { ResourceAmounts } from "../../../observations/kubernetes-workloads.ts";
import type { KubernetesPod } from "../../../observations/kubernetes-workloads.ts";
import type {
  KubernetesCertificate,
  KubernetesClaim,
  KubernetesEvent,
  KubernetesNamespace,
  KubernetesNode,
  KubernetesRoute,
} from "../../../observations/kubernetes.ts";
import type { StoredAutoscaler, StoredService } from "../objects/cluster.ts";
import type { Owner } from "../objects/values.ts";
import type { OwnWorkload } from "../objects/workload.ts";

export interface StoredPod {
  pod: Omit<KubernetesPod, "workloadId" | "jobName" | "usage">;
  owner: Owner | null;
  /** Of a pod that nothing controls. */
  own: OwnWorkload | null;
  labels: Readonly<Record<string, string>>;
}

/** By kind, as it is kept. */
export interface Stored {
  pods: StoredPod;
  deployments: OwnWorkload;
  statefulSets: OwnWorkload;
  daemonSets: OwnWorkload;
  replicaSets: OwnWorkload;
  jobs: OwnWorkload;
  cronJobs: OwnWorkload;
  autoscalers: StoredAutoscaler;
  nodes: Omit<KubernetesNode, "usage">;
  namespaces: Omit<KubernetesNamespace, "hasNetworkPolicy">;
  networkPolicies: { namespace: string; restrictsIngress: boolean };
  services: StoredService;
  ingresses: KubernetesRoute;
  httpRoutes: KubernetesRoute;
  grpcRoutes: KubernetesRoute;
  tlsRoutes: KubernetesRoute;
  claims: Omit<KubernetesClaim, "usedBytes" | "sizeBytes">;
  certificates: KubernetesCertificate | null;
  events: KubernetesEvent | null;
}
export type StoredKind = keyof Stored;

/** Kinds whose objects are workloads, each of them. */
export const WORKLOADS = [
  "deployments",
  "statefulSets",
  "daemonSets",
  "replicaSets",
  "jobs",
  "cronJobs",
] as const satisfies readonly StoredKind[];
export const ROUTES = ["ingresses", "httpRoutes", "grpcRoutes", "tlsRoutes"] as const satisfies readonly StoredKind[];

/** What is known of a kind: `isListed` that it is complete as of some time. */
export interface StoredObjects<Kept> {
  items(): ReadonlyMap<string, Kept>;
  isListed(): boolean;
  /** It is not in this cluster, or may not be read: nothing of it is to be waited for. */
  isAbsent(): boolean;
}

export type StoredCluster = { readonly [Kind in StoredKind]: StoredObjects<Stored[Kind]> };

/** What pods and nodes use, by the last reading. Pods by `namespace/name`, nodes by name; what is of pods changes with the next reading. */
export interface ClusterUsage {
  pods: ReadonlyMap<string, ResourceAmounts>;
  /** Shares from 0 to 1, of pods with a CPU limit. */
  throttled: ReadonlyMap<string, number>;
  nodes: ReadonlyMap<string, ResourceAmounts>;
  /** Of volumes, by `namespace/name` of their claim. */
  volumes: ReadonlyMap<string, { usedBytes: number; sizeBytes: number }>;
}

export const NO_USAGE: ClusterUsage = { pods: new Map(), throttled: new Map(), nodes: new Map(), volumes: new Map() };
