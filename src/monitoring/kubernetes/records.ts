import type {
  KubernetesPod,
  KubernetesWorkload,
  PodContainer,
  PodContainerEnd,
  ResourceAmounts,
} from "../../observations/kubernetes-workloads.ts";
import type { KubernetesProblemRecord } from "./api.ts";
import type { PodContainerRecord, PodRecord, WorkloadRecord } from "./answers.ts";
import { restartsOf } from "./changes.ts";
import type { Cluster } from "./cluster.ts";
import { explainPod, explainWorkload } from "./explain.ts";
import type { AmountsRecord } from "./objects.ts";
import type { KubernetesProblem, RunTimes } from "./problem.ts";
import { countsOf, isCurrent, workloadState } from "./state.ts";

const MOST_NODES_NAMED = 100;

/** What else is known of a cluster's objects. */
export interface RecordContext {
  cluster: Cluster;
  problems: readonly KubernetesProblem[];
  runTimes: RunTimes;
  now: Date;
  /** The row of a workload among the containers. */
  containerOf(workloadId: string): { id: number; agentId: string | null } | undefined;
}

export function problemRecord({ alert, severity, message, cause, since }: KubernetesProblem): KubernetesProblemRecord {
  return { alert, severity, message, cause, since: since.toISOString() };
}

export function problemsOf(
  problems: readonly KubernetesProblem[],
  type: KubernetesProblem["entity_type"],
  id: string,
): KubernetesProblemRecord[] {
  return problems.filter((each) => each.entity_type === type && each.id === id).map(problemRecord);
}

export function groupOf({ settings, namespace }: KubernetesWorkload): string {
  return settings.group ?? namespace;
}

export function workloadRecord(workload: KubernetesWorkload, context: RecordContext): WorkloadRecord {
  const { id, namespace, name, kind, replicas, containers, labels, settings, rollout, revision, createdAt } = workload;
  const { cluster, problems } = context;
  const pods = cluster.inventory.podsOf(id);
  const current = pods.filter(isCurrent);
  const { desired, ready } = countsOf(workload, pods);
  const row = context.containerOf(id);
  const nodes = [...new Set(current.flatMap(({ nodeName }) => nodeName ?? []))].toSorted().slice(0, MOST_NODES_NAMED);
  const isCounted = replicas.desired !== null || (workload.job === null && workload.cronJob === null);
  const state = workloadState(workload, pods);
  return {
    ...{ id, cluster_id: cluster.id, namespace, name, kind, group: groupOf(workload), state },
    message: state === "running" || state === "completed" || state === "stopped" ? null : explainWorkload(workload, pods),
    ...{ desired: isCounted ? desired : null, current: replicas.current, ready, updated: replicas.updated, available: replicas.available },
    restarts: pods.reduce((sum, pod) => sum + restartsOf(pod), 0),
    containers: containers.map((each) => ({
      ...{ name: each.name, kind: each.kind, image: each.image },
      ...{ requests: amountsRecord(each.requests), limits: amountsRecord(each.limits) },
    })),
    ...{ labels, ignored: settings.ignored, rollout, revision },
    ...{ job: jobRecord(workload), cron_job: cronJobRecord(workload, context), autoscaler: autoscalerRecord(workload) },
    nodes,
    ...amountsOf(current),
    cpu_throttled_percent: throttledPercent(current),
    container_id: row?.id ?? null,
    agent_id: row?.agentId ?? cluster.agentId,
    problems: problemsOf(problems, "kubernetes_workload", id),
    created_at: textOf(createdAt),
  };
}

/** What pods ask for, may have and use together. */
export function amountsOf(pods: readonly KubernetesPod[]): Pick<WorkloadRecord, "requests" | "limits" | "usage"> {
  const containers = pods.flatMap((pod) => lasting(pod.containers));
  return {
    requests: amountsRecord(sumOf(containers.map(({ requests }) => requests))),
    limits: amountsRecord(limitOf(containers.map(({ limits }) => limits))),
    usage: usageRecord(sumOf(pods.map(({ usage }) => usage))),
  };
}

/** Of the most throttled of them. */
function throttledPercent(pods: readonly KubernetesPod[]): number | null {
  const shares = pods.flatMap(({ usage }) => usage?.throttledShare ?? []);
  return shares.length === 0 ? null : Math.round(Math.max(...shares) * 1000) / 10;
}

function jobRecord({ job }: KubernetesWorkload): WorkloadRecord["job"] {
  if (job === null) return null;
  const { completions, active, succeeded, failed, startedAt, completedAt, outcome, reason, message } = job;
  return {
    ...{ completions, active, succeeded, failed, outcome, reason, message },
    ...{ started_at: textOf(startedAt), completed_at: textOf(completedAt) },
  };
}

function cronJobRecord({ cronJob }: KubernetesWorkload, { runTimes, now }: RecordContext): WorkloadRecord["cron_job"] {
  if (cronJob === null) return null;
  const { schedule, timeZone, suspended, startingDeadlineSeconds, concurrencyPolicy, active, lastScheduledAt, lastSuccessAt, lastOutcome } =
    cronJob;
  return {
    ...{ schedule, time_zone: timeZone, suspended, starting_deadline_seconds: startingDeadlineSeconds },
    ...{
      concurrency_policy: concurrencyPolicy,
      active,
      last_scheduled_at: textOf(lastScheduledAt),
      last_success_at: textOf(lastSuccessAt),
    },
    last_outcome: lastOutcome && {
      ...{ job_name: lastOutcome.jobName, outcome: lastOutcome.outcome, reason: lastOutcome.reason },
      finished_at: textOf(lastOutcome.finishedAt),
    },
    next_run_at: suspended ? null : textOf(runTimes.next(cronJob, now)),
  };
}

function autoscalerRecord({ autoscaler }: KubernetesWorkload): WorkloadRecord["autoscaler"] {
  return autoscaler && { ...autoscaler, at_limit: autoscaler.desired >= autoscaler.max };
}

export function podRecord(pod: KubernetesPod, context: RecordContext): PodRecord {
  const { inventory, id: clusterId, agentId } = context.cluster;
  const workload = pod.workloadId === null ? undefined : inventory.objects.workloads.get(pod.workloadId);
  const row = workload && context.containerOf(workload.id);
  const counted = lasting(pod.containers);
  return {
    ...{ id: pod.id, cluster_id: clusterId, namespace: pod.namespace, name: pod.name },
    ...{ workload_id: pod.workloadId, workload_name: workload?.name ?? null, workload_kind: workload?.kind ?? null, job_name: pod.jobName },
    node_id: pod.nodeName === null ? null : (inventory.nodeNamed(pod.nodeName)?.id ?? null),
    ...{ node_name: pod.nodeName, phase: pod.phase, status: pod.status, message: explainPod(pod), reason: pod.reason, ready: pod.ready },
    containers_ready: counted.filter(({ ready }) => ready).length,
    containers_total: counted.length,
    restarts: restartsOf(pod),
    containers: pod.containers.map(containerRecord),
    ...{ pod_ip: pod.podIp, qos_class: pod.qosClass, claims: pod.claims },
    ...amountsOf([pod]),
    cpu_throttled_percent: throttledPercent([pod]),
    container_id: row?.id ?? null,
    agent_id: row?.agentId ?? agentId,
    ...{ created_at: textOf(pod.createdAt), started_at: textOf(pod.startedAt), deleting_since: textOf(pod.deletingSince) },
  };
}

function containerRecord(container: PodContainer): PodContainerRecord {
  const { name, kind, image, imageDigest, state, reason, message, ready, restartCount, startedAt, end, lastEnd, requests, limits } =
    container;
  return {
    ...{ name, kind, image, image_digest: imageDigest, state, reason, message, ready, restarts: restartCount },
    ...{ started_at: textOf(startedAt), end: endRecord(end), last_end: endRecord(lastEnd) },
    ...{ requests: amountsRecord(requests), limits: amountsRecord(limits) },
  };
}

function endRecord(end: PodContainerEnd | null): PodContainerRecord["end"] {
  return end && { reason: end.reason, message: end.message, exit_code: end.exitCode, finished_at: textOf(end.finishedAt) };
}

export function textOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

const NONE: ResourceAmounts = { cpuCores: null, memoryBytes: null };

/** What is there of it together; null where there is none of it. */
export function sumOf(all: readonly (ResourceAmounts | null)[]): ResourceAmounts {
  return all.reduce<ResourceAmounts>(
    (sum, each) => ({ cpuCores: add(sum.cpuCores, each?.cpuCores), memoryBytes: add(sum.memoryBytes, each?.memoryBytes) }),
    NONE,
  );
}

/** The same for limits: where one of them has none, all of them together have none. */
function limitOf(all: readonly ResourceAmounts[]): ResourceAmounts {
  const sum = sumOf(all);
  return {
    cpuCores: all.some(({ cpuCores }) => cpuCores === null) ? null : sum.cpuCores,
    memoryBytes: all.some(({ memoryBytes }) => memoryBytes === null) ? null : sum.memoryBytes,
  };
}

/** Of the containers of a pod that run at the same time; those that prepare it are done before. */
export function lasting<Container extends { kind: "app" | "init" | "sidecar" | "ephemeral" }>(
  containers: readonly Container[],
): Container[] {
  return containers.filter(({ kind }) => kind === "app" || kind === "sidecar");
}

export function amountsRecord({ cpuCores, memoryBytes }: ResourceAmounts): AmountsRecord {
  return { cpu_cores: cpuCores, memory_bytes: memoryBytes };
}

export function usageRecord(usage: ResourceAmounts | null): AmountsRecord | null {
  return usage === null || (usage.cpuCores === null && usage.memoryBytes === null) ? null : amountsRecord(usage);
}

function add(one: number | null, other: number | null | undefined): number | null {
  if (other == null) return one;
  return (one ?? 0) + other;
}
