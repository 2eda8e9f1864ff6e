import type { KubernetesNode } from "../../observations/kubernetes.ts";
import type { KubernetesPod, KubernetesWorkload, PodContainer, PodContainerEnd } from "../../observations/kubernetes-workloads.ts";
import { nodeState, pressuresOf, readyCondition } from "./state.ts";

const PULL_REASONS: ReadonlySet<string | null> = new Set([
  ...["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError"],
]);

/** Whether a container waits for an image that cannot be had. */
export function isPullFailure({ state, reason }: PodContainer): boolean {
  return state === "waiting" && PULL_REASONS.has(reason);
}

export function isCrashLoop({ state, reason }: PodContainer): boolean {
  return state === "waiting" && reason === "CrashLoopBackOff";
}

export function isEvicted({ phase, reason }: Pick<KubernetesPod, "phase" | "reason">): boolean {
  return phase === "Failed" && reason === "Evicted";
}

/** Why a pod is not well, as a sentence; null when nothing is known to be wrong. */
export function explainPod(pod: KubernetesPod): string | null {
  if (pod.deletingSince !== null) return null;
  if (pod.reason === "Evicted") return sentence("Evicted", pod.message);
  if (pod.unschedulable !== null) return sentence("No node takes it", pod.unschedulable);
  if (pod.phase === "Succeeded" || (pod.phase === "Running" && pod.ready)) return null;
  for (const container of pod.containers) {
    const why = explainContainer(container, pod);
    if (why !== null) return why;
  }
  if (pod.reason !== null || pod.message !== null) return sentence(pod.reason ?? pod.phase, pod.message);
  if (pod.phase === "Unknown") return "Its node does not report how it is.";
  return pod.phase === "Pending" ? "It waits to be started." : null;
}

function explainContainer(container: PodContainer, { phase }: KubernetesPod): string | null {
  const { name, state, reason, message, image, ready, end, lastEnd, restartCount, kind } = container;
  if (isPullFailure(container)) return sentence(`The image ${image} cannot be pulled (${reason})`, message);
  if (isCrashLoop(container)) return `${name} keeps crashing: ${endWords(lastEnd ?? end)}, restarted ${times(restartCount)}.`;
  if (state === "waiting" && reason !== null && reason !== "ContainerCreating" && reason !== "PodInitializing")
    return sentence(`${name} cannot be started (${reason})`, message);
  if (state === "terminated" && end !== null && (end.exitCode !== 0 || end.reason === "OOMKilled"))
    return `${name} ended: ${endWords(end)}.`;
  if (state === "running" && !ready && phase === "Running" && (kind === "app" || kind === "sidecar")) {
    const before = lastEnd === null || restartCount === 0 ? "" : `; before that it ended: ${endWords(lastEnd)}`;
    return `${name} runs and is not ready${before}.`;
  }
  return null;
}

/** `exit code 1`, or `out of memory (OOMKilled)`. */
export function endWords(end: PodContainerEnd | null): string {
  if (end === null) return "no exit code is known";
  if (end.reason === "OOMKilled") return "out of memory (OOMKilled)";
  const reason = end.reason === null || end.reason === "Error" || end.reason === "Completed" ? "" : ` (${end.reason})`;
  return `exit code ${end.exitCode}${reason}`;
}

/** Why a workload is not as it should be: its rollout, its job, else its worst pod. */
export function explainWorkload(workload: KubernetesWorkload, pods: readonly KubernetesPod[]): string | null {
  const { rollout, job, cronJob, autoscaler } = workload;
  if (job !== null)
    return job.outcome === "failed" ? sentence(`The job failed (${job.reason ?? "no reason given"})`, job.message) : worstOf(pods);
  if (cronJob?.lastOutcome?.outcome === "failed") {
    const { jobName, reason } = cronJob.lastOutcome;
    return `Its last run ${jobName} failed${reason === null ? "" : ` (${reason})`}.`;
  }
  const worst = worstOf(pods);
  if (rollout?.state === "stalled")
    return worst ?? sentence(`The rollout makes no progress (${rollout.reason ?? "stalled"})`, rollout.message);
  return worst ?? autoscaler?.problem ?? null;
}

function worstOf(pods: readonly KubernetesPod[]): string | null {
  for (const pod of pods) {
    const why = explainPod(pod);
    if (why !== null) return pods.length === 1 ? why : `${pod.name}: ${why}`;
  }
  return null;
}

/** A message of a cluster may end with a full stop, or not. */
export function sentence(what: string, message: string | null): string {
  if (message === null || message === "") return `${what}.`;
  return `${what}: ${message.replace(/[.\s]+$/, "")}.`;
}

export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** Why a node is not well; null when nothing is known to be wrong. */
export function explainNode(node: KubernetesNode): string | null {
  const ready = readyCondition(node);
  if (nodeState(node) !== "ready") return sentence(ready?.reason ?? "It does not say how it is", ready?.message ?? null);
  const [pressure] = pressuresOf(node);
  if (pressure !== undefined) return sentence(pressure, node.conditions.find(({ type }) => type === pressure)?.message ?? null);
  return node.unschedulable ? "It is cordoned: no new pods are put on it." : null;
}
