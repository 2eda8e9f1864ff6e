import type { KubernetesNodeState, WorkloadState } from "../../events.ts";
import type { KubernetesNode } from "../../observations/kubernetes.ts";
import type { KubernetesPod, KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";

/** How a workload is, by its own numbers and those of its pods. Words: {@link WorkloadState}. */
export function workloadState(workload: KubernetesWorkload, pods: readonly KubernetesPod[]): WorkloadState {
  const { job, cronJob, kind } = workload;
  if (job !== null) return stateOfJob(job, pods);
  if (cronJob !== null) return stateOfCronJob(cronJob);
  if (kind === "Pod") return stateOfPod(pods[0]);
  return stateOfReplicas(workload, pods);
}

/** How many pods a workload asks for, and has ready. Where it says no number itself, its pods do. */
export function countsOf(
  { replicas }: Pick<KubernetesWorkload, "replicas">,
  pods: readonly KubernetesPod[],
): { desired: number; ready: number } {
  if (replicas.desired !== null) return { desired: replicas.desired, ready: replicas.ready };
  const current = pods.filter(isCurrent);
  return { desired: current.length, ready: current.filter(({ ready }) => ready).length };
}

/** Whether a pod is to do its work: it is neither done nor to go. */
export function isCurrent({ phase, deletingSince }: KubernetesPod): boolean {
  return deletingSince === null && phase !== "Succeeded" && phase !== "Failed";
}

/** Whether a new version comes in, and is still within its time. */
export function isProgressing({ rollout, isOutdated }: Pick<KubernetesWorkload, "rollout" | "isOutdated">): boolean {
  return rollout?.state === "progressing" || (isOutdated && rollout?.state !== "stalled" && rollout?.state !== "paused");
}

function stateOfReplicas(workload: KubernetesWorkload, pods: readonly KubernetesPod[]): WorkloadState {
  const { desired, ready } = countsOf(workload, pods);
  if (desired === 0) return "stopped";
  if (isProgressing(workload)) return "progressing";
  if (ready >= desired) return "running";
  if (ready > 0) return "degraded";
  return workload.replicas.current === 0 && pods.length === 0 ? "pending" : "down";
}

function stateOfJob({ outcome }: NonNullable<KubernetesWorkload["job"]>, pods: readonly KubernetesPod[]): WorkloadState {
  if (outcome === "complete") return "completed";
  if (outcome !== "running") return outcome;
  return pods.some(({ phase }) => phase === "Running") ? "running" : "pending";
}

function stateOfCronJob({ suspended, active, lastOutcome }: NonNullable<KubernetesWorkload["cronJob"]>): WorkloadState {
  if (active > 0) return "running";
  if (suspended) return "suspended";
  if (lastOutcome === null) return "pending";
  return lastOutcome.outcome === "failed" ? "failed" : "completed";
}

function stateOfPod(pod: KubernetesPod | undefined): WorkloadState {
  if (pod === undefined || pod.phase === "Pending") return "pending";
  if (pod.phase === "Succeeded") return "completed";
  if (pod.phase === "Failed") return "failed";
  return pod.phase === "Running" && pod.ready ? "running" : "down";
}

/** Whether somebody should look at a workload that is so. */
export function isUnhealthy(state: WorkloadState): boolean {
  return state === "degraded" || state === "down" || state === "failed";
}

export function readyCondition({ conditions }: Pick<KubernetesNode, "conditions">): KubernetesNode["conditions"][number] | undefined {
  return conditions.find(({ type }) => type === "Ready");
}

/** By its own condition; a node that does not say is not known. */
export function nodeState(node: Pick<KubernetesNode, "conditions">): KubernetesNodeState {
  const status = readyCondition(node)?.status;
  if (status === "True") return "ready";
  return status === "False" ? "not_ready" : "unknown";
}

const PRESSURES: ReadonlySet<string> = new Set(["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]);

/** Whether a node does not say if it is short of something, as while its kubelet is silent. */
export function hasUnknownPressure({ conditions }: Pick<KubernetesNode, "conditions">): boolean {
  return conditions.some(({ type, status }) => PRESSURES.has(type) && status === "Unknown");
}

/** What a node is short of, in the words of its conditions. */
export function pressuresOf({ conditions }: Pick<KubernetesNode, "conditions">): string[] {
  return conditions.filter(({ type, status }) => PRESSURES.has(type) && status === "True").map(({ type }) => type);
}
