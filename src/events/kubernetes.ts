/** What changed of Kubernetes clusters; see ../events.ts. Ids are uids. Source: contract, section 15. */
import type { KubernetesEvent, KubernetesNamespace, KubernetesStanding } from "../observations/kubernetes.ts";
import type { KubernetesRollout } from "../observations/kubernetes-workloads.ts";
import type { ClusterAlertData } from "./entity.ts";

/**
 * How a workload is: `running` all the pods that it asks for; `degraded` fewer; `down` none ready; `progressing` while a rollout, or a job, makes its way;
 * `completed` and `failed` of a job, a pod or the last run of a CronJob; `stopped` asks for none; `suspended` by its spec; `pending` has not begun.
 */
export const WORKLOAD_STATES = [
  "running",
  "progressing",
  "degraded",
  "down",
  "pending",
  "completed",
  "failed",
  "suspended",
  "stopped",
] as const;
export type WorkloadState = (typeof WORKLOAD_STATES)[number];

export const KUBERNETES_NODE_STATES = ["ready", "not_ready", "unknown"] as const;
export type KubernetesNodeState = (typeof KUBERNETES_NODE_STATES)[number];

export const KUBERNETES_ALERTS = [
  "replica_unhealthy",
  "crash_loop",
  "image_pull",
  "oom",
  "evicted",
  "unschedulable",
  "job_failed",
  "cronjob_missed",
  "rollout_stalled",
  "node_not_ready",
  "node_pressure",
  "pvc_filling",
  "certificate_expiring",
  "api_unreachable",
] as const;
export type KubernetesAlert = (typeof KUBERNETES_ALERTS)[number];

export const KUBERNETES_ENTITIES = [
  "kubernetes_workload",
  "kubernetes_node",
  "kubernetes_claim",
  "kubernetes_certificate",
  "kubernetes_cluster",
] as const;
export type KubernetesEntity = (typeof KUBERNETES_ENTITIES)[number];

/** What every event about a part of a cluster says. */
export interface KubernetesData {
  /** Of the workload, the node, the claim, the Secret or the cluster. */
  id: string;
  /** Whose host showed it; null is the local host. */
  agent_id: string | null;
  /** With the namespace, where it is in one: `shop/web`. */
  name: string;
  cluster_id: string;
  timestamp: string;
}

export interface WorkloadData extends KubernetesData {
  namespace: string;
  /** As in `Deployment`. */
  kind: string;
  state: WorkloadState;
  ready: number;
  /** null where it asks for no number. */
  desired: number | null;
  /** Of its containers, in their order. */
  images: string[];
  rollout_state: KubernetesRollout["state"] | null;
  rollout_message: string | null;
  revision: string | null;
}

export interface KubernetesNodeData extends KubernetesData {
  state: KubernetesNodeState;
  /** Whether new pods may be put on it. */
  schedulable: boolean;
  /** As in `MemoryPressure`. */
  pressures: string[];
  kubelet_version: string | null;
}

export interface PodChange {
  id: string;
  name: string;
  node_name: string | null;
  /** As `kubectl get pods` shows it; null: it is gone. */
  status: string | null;
  /** null of a new one. */
  previous_status: string | null;
  ready: boolean;
  restart_count: number;
  /** Why it is not well, as a sentence; null when nothing is known to be wrong. */
  message: string | null;
}

export interface RecordedEvent extends Pick<KubernetesEvent, "id" | "namespace" | "type" | "reason" | "message" | "count"> {
  about: { kind: string; name: string };
  last_at: string;
}

export interface KubernetesEvents {
  /** How much a host can show of its cluster, and why that is not all. */
  "kubernetes.status_changed": {
    agent_id: string | null;
    cluster_id: string | null;
    standing: KubernetesStanding;
    previous_standing: KubernetesStanding | null;
    version: string | null;
    reason: string | null;
    timestamp: string;
  };
  "kubernetes.namespace_changed": KubernetesData & { phase: KubernetesNamespace["phase"]; removed: boolean };
  "kubernetes.workload_updated": WorkloadData & { previous_state: WorkloadState | null };
  "kubernetes.workload_removed": WorkloadData;
  /** Pods of one workload; at most 100 of them are named. */
  "kubernetes.pods_changed": WorkloadData & { pods: PodChange[] };
  "kubernetes.node_updated": KubernetesNodeData & { previous_state: KubernetesNodeState | null };
  "kubernetes.node_removed": KubernetesNodeData;
  /** Events of a cluster that are new or happened again: how many, and the newest 20 of them. */
  "kubernetes.events_recorded": { agent_id: string | null; cluster_id: string; count: number; events: RecordedEvent[]; timestamp: string };
  "kubernetes.alert": KubernetesData &
    ClusterAlertData & {
      alert: KubernetesAlert;
      entity_type: KubernetesEntity;
      /** Of what is in one. */
      namespace: string | null;
      /** Of a workload, as in `Deployment`; null of others. */
      kind: string | null;
    };
}

export const KUBERNETES_EVENTS: Record<keyof KubernetesEvents, string> = {
  "kubernetes.status_changed": "how much a host can show of its Kubernetes cluster changed: watching, standby, denied, unreachable",
  "kubernetes.namespace_changed": "a namespace appeared, began to terminate, or was removed",
  "kubernetes.workload_updated": "a workload appeared, or its state, images, replicas or rollout changed",
  "kubernetes.workload_removed": "a workload was removed from its cluster",
  "kubernetes.pods_changed": "pods of a workload came, went or changed state",
  "kubernetes.node_updated": "a node joined a cluster, or its state, taints, pressures or version changed",
  "kubernetes.node_removed": "a node was removed from its cluster",
  "kubernetes.events_recorded": "events of a cluster are new, or happened again",
  "kubernetes.alert": "a problem of a Kubernetes cluster was found, changed, or is over",
};
