/** Workloads and pods of a Kubernetes cluster, as a host sees them, and what all objects have; the other kinds are in ./kubernetes.ts. */
import type { Severity } from "../contract/alert.ts";

/** What every object of a Kubernetes cluster has. `id` is its uid. */
export interface KubernetesObject {
  id: string;
  name: string;
  createdAt: Date | null;
}

/** An object within a namespace. */
export interface NamespacedObject extends KubernetesObject {
  namespace: string;
}

/** CPU in cores, memory in bytes; null where none is set. */
export interface ResourceAmounts {
  cpuCores: number | null;
  memoryBytes: number | null;
}

/** Kinds of workloads that are known by their own API. What else owns pods is named by its owner, as in `Rollout`. */
export const WORKLOAD_KINDS = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod"] as const;

/** Kinds whose images kubectl can set, and whether they are rolled out: those can be restarted, and go back to the revision before. */
export const IMAGE_KINDS: ReadonlyMap<string, { rolls: boolean }> = new Map<(typeof WORKLOAD_KINDS)[number], { rolls: boolean }>([
  ["Deployment", { rolls: true }],
  ["StatefulSet", { rolls: true }],
  ["DaemonSet", { rolls: true }],
  ["CronJob", { rolls: false }],
  ["ReplicaSet", { rolls: false }],
  ["Pod", { rolls: false }],
]);

/** Of what Kubernetes takes as a name. None begins with a dash. */
export const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** What the `service.*` annotations of a workload ask for. */
export interface WorkloadSettings {
  ignored: boolean;
  group: string | null;
  alertSeverity: Severity;
  alertChannels: string[];
  alertTags: string[];
}

/** A container of a pod template. */
export interface TemplateContainer {
  name: string;
  /** `sidecar` is an init container that is restarted always. */
  kind: "app" | "init" | "sidecar" | "ephemeral";
  /** With its tag or digest, as it is written. */
  image: string;
  requests: ResourceAmounts;
  limits: ResourceAmounts;
}

/** How a new version comes in: `progressing`, `complete`, `stalled` past its deadline, or `paused`. */
export const KUBERNETES_ROLLOUT_STATES = ["progressing", "complete", "stalled", "paused"] as const;

export interface KubernetesRollout {
  state: (typeof KUBERNETES_ROLLOUT_STATES)[number];
  /** As in `ProgressDeadlineExceeded`; null where there is none. */
  reason: string | null;
  message: string | null;
}

/** How many pods a workload asks for, and has. `desired` is null where it asks for no number, as a CronJob. */
export interface ReplicaCounts {
  desired: number | null;
  current: number;
  ready: number;
  updated: number;
  available: number;
}

export interface JobState {
  /** null: any one success is enough. */
  completions: number | null;
  active: number;
  succeeded: number;
  failed: number;
  startedAt: Date | null;
  completedAt: Date | null;
  /** `suspended` by its spec; `failed` when it will not be tried again. */
  outcome: "running" | "complete" | "failed" | "suspended";
  /** As in `BackoffLimitExceeded`. */
  reason: string | null;
  message: string | null;
}

export interface CronJobState {
  /** As written: five fields, or `@hourly` and the like. */
  schedule: string;
  /** IANA name; null: the time zone of the controller manager. */
  timeZone: string | null;
  suspended: boolean;
  /** How late a run may begin; null: as late as it likes. */
  startingDeadlineSeconds: number | null;
  concurrencyPolicy: "Allow" | "Forbid" | "Replace";
  active: number;
  /** When its schedule was changed, or it was suspended or resumed, at the latest; null where the cluster or the agent does not say. */
  scheduleChangedAt: Date | null;
  lastScheduledAt: Date | null;
  lastSuccessAt: Date | null;
  /** Its newest job that is over; null while there is none. */
  lastOutcome: { jobName: string; outcome: "complete" | "failed"; reason: string | null; finishedAt: Date | null } | null;
}

export interface AutoscalerState {
  name: string;
  min: number;
  max: number;
  current: number;
  desired: number;
  /** Why it cannot scale, in the words of its conditions; null when it can. */
  problem: string | null;
}

/** The security settings of a pod template. null is unknown, such as the user that an image runs as. */
export interface WorkloadSecurity {
  /** Names of containers. */
  privileged: string[];
  hostNetwork: boolean;
  hostPid: boolean;
  hostIpc: boolean;
  hostPaths: string[];
  hostPorts: { container: string; port: number; protocol: "tcp" | "udp" | "sctp" }[];
  /** Names of containers that run as root by their spec. */
  runsAsRoot: string[];
  /** Names of containers without a limit of memory, and without one of CPU. */
  withoutMemoryLimit: string[];
  withoutCpuLimit: string[];
  addedCapabilities: string[];
  serviceAccount: string;
  automountsToken: boolean;
}

/** What a cluster is to run: one row among the containers, named `namespace/name`. Jobs of a CronJob are not here; they are its own. */
export interface KubernetesWorkload extends NamespacedObject {
  /** One of {@link WORKLOAD_KINDS}, or the kind of the owner of pods that is not read itself. */
  kind: string;
  /** Without values: labels that Kubernetes selects by, and annotations that begin with `service.` */
  labels: Record<string, string>;
  settings: WorkloadSettings;
  containers: TemplateContainer[];
  replicas: ReplicaCounts;
  rollout: KubernetesRollout | null;
  /** Its spec was changed, and its controller has not looked at that yet. */
  isOutdated: boolean;
  job: JobState | null;
  cronJob: CronJobState | null;
  autoscaler: AutoscalerState | null;
  /** null of a kind that is not read itself, while none of its pods is there. */
  security: WorkloadSecurity | null;
  /** As in `revision 4`; null where there is none. */
  revision: string | null;
}

export const POD_PHASES = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;

/** How a container ended. */
export interface PodContainerEnd {
  /** As in `OOMKilled`, `Error`, `Completed`. */
  reason: string | null;
  message: string | null;
  exitCode: number;
  finishedAt: Date | null;
}

export interface PodContainer {
  name: string;
  kind: TemplateContainer["kind"];
  image: string;
  /** `sha256:...`, of what runs; null until it was pulled. */
  imageDigest: string | null;
  state: "waiting" | "running" | "terminated";
  /** As in `CrashLoopBackOff`, `ImagePullBackOff`; null when there is none. */
  reason: string | null;
  message: string | null;
  ready: boolean;
  restartCount: number;
  startedAt: Date | null;
  /** Of a terminated one. */
  end: PodContainerEnd | null;
  /** How it ended before it was started again. */
  lastEnd: PodContainerEnd | null;
  requests: ResourceAmounts;
  limits: ResourceAmounts;
}

export interface PodUsage extends ResourceAmounts {
  /** In which share of the last CPU periods its most throttled container had to wait for its limit, from 0 to 1; null where that is not known. */
  throttledShare: number | null;
}

export interface KubernetesPod extends NamespacedObject {
  /** The workload at the top of its owners; null while that is not known. */
  workloadId: string | null;
  /** The job that it is of, by name; null of others. */
  jobName: string | null;
  nodeName: string | null;
  phase: (typeof POD_PHASES)[number];
  /** What `kubectl get pods` says under STATUS, as in `CrashLoopBackOff` or `Init:0/1`. */
  status: string;
  /** As in `Evicted`; null when there is none. */
  reason: string | null;
  message: string | null;
  ready: boolean;
  /** Why no node takes it, in the scheduler's words; null when one did, or none was asked yet. */
  unschedulable: string | null;
  containers: PodContainer[];
  podIp: string | null;
  qosClass: string | null;
  /** Names of its persistent volume claims. */
  claims: string[];
  startedAt: Date | null;
  /** Since when it is to go. */
  deletingSince: Date | null;
  /** What all of its containers use, by the last reading; null where that is not known. */
  usage: PodUsage | null;
}
