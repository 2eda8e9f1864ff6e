import type { CronJobState, JobState, KubernetesRollout, ReplicaCounts } from "../../../observations/kubernetes-workloads.ts";
import type { RuntimeWorkload } from "../../runtime.ts";
import type { CronJobAnswer, DaemonSetAnswer, JobAnswer, PodAnswer, PodSpecAnswer, ReplicatedAnswer } from "./workload-schemas.ts";
import type { MetadataAnswer } from "./schemas.ts";
import { securityOf, templateContainers } from "./pod.ts";
import { conditionOf, controllerOf, labelsOf, namedOf, type Owner, wordsOf } from "./values.ts";

/** A workload as its own object shows it, before what other objects add. */
export interface OwnWorkload {
  workload: RuntimeWorkload;
  owner: Owner | null;
  /** Of its pods, which services select by. */
  podLabels: Readonly<Record<string, string>>;
}

interface Template {
  metadata?: { labels?: Record<string, string> | null | undefined } | null | undefined;
  spec?: PodSpecAnswer | null | undefined;
}

const NONE: Omit<RuntimeWorkload, "id" | "name" | "namespace" | "createdAt" | "kind" | "labels" | "containers" | "security" | "replicas"> =
  {
    rollout: null,
    isOutdated: false,
    job: null,
    cronJob: null,
    autoscaler: null,
    revision: null,
  };

const REVISION = "deployment.kubernetes.io/revision";

function ownOf(
  kind: string,
  metadata: MetadataAnswer,
  template: Template | null | undefined,
  facts: Partial<RuntimeWorkload> & Pick<RuntimeWorkload, "replicas">,
): OwnWorkload {
  return {
    workload: {
      ...namedOf(metadata),
      kind,
      labels: labelsOf(metadata),
      containers: templateContainers(template?.spec),
      security: securityOf(template?.spec),
      ...NONE,
      ...facts,
    },
    owner: controllerOf(metadata),
    podLabels: template?.metadata?.labels ?? {},
  };
}

export function deploymentOf({ metadata, spec, status }: ReplicatedAnswer): OwnWorkload {
  const replicas = replicasOf(spec, status);
  const isOutdated = isBehind(metadata, status?.observedGeneration);
  return ownOf("Deployment", metadata, spec?.template, {
    replicas,
    isOutdated,
    rollout: rolloutOfDeployment({ spec, status, replicas, isOutdated }),
    revision: metadata.annotations?.[REVISION] ? `revision ${metadata.annotations[REVISION]}` : null,
  });
}

export function statefulSetOf({ metadata, spec, status }: ReplicatedAnswer): OwnWorkload {
  const isOutdated = isBehind(metadata, status?.observedGeneration);
  const isUpdating = isOutdated || (status?.updateRevision != null && status.updateRevision !== status.currentRevision);
  const rollout: KubernetesRollout = { state: isUpdating ? "progressing" : "complete", reason: null, message: null };
  return ownOf("StatefulSet", metadata, spec?.template, {
    replicas: replicasOf(spec, status),
    isOutdated,
    rollout: spec?.updateStrategy?.type === "OnDelete" ? null : rollout,
    revision: wordsOf(status?.updateRevision),
  });
}

export function replicaSetOf({ metadata, spec, status }: ReplicatedAnswer): OwnWorkload {
  const replicas = replicasOf(spec, status);
  return ownOf("ReplicaSet", metadata, spec?.template, {
    replicas: { ...replicas, updated: replicas.current },
    isOutdated: isBehind(metadata, status?.observedGeneration),
  });
}

export function daemonSetOf({ metadata, spec, status }: DaemonSetAnswer): OwnWorkload {
  const replicas = {
    desired: status?.desiredNumberScheduled ?? 0,
    current: status?.currentNumberScheduled ?? 0,
    ready: status?.numberReady ?? 0,
    updated: status?.updatedNumberScheduled ?? 0,
    available: status?.numberAvailable ?? 0,
  };
  const isOutdated = isBehind(metadata, status?.observedGeneration);
  const isUpdating = isOutdated || replicas.updated < replicas.desired;
  const rollout: KubernetesRollout = { state: isUpdating ? "progressing" : "complete", reason: null, message: null };
  return ownOf("DaemonSet", metadata, spec?.template, {
    replicas,
    isOutdated,
    rollout: spec?.updateStrategy?.type === "OnDelete" ? null : rollout,
  });
}

export function jobOf({ metadata, spec, status }: JobAnswer): OwnWorkload {
  const active = status?.active ?? 0;
  const succeeded = status?.succeeded ?? 0;
  const [complete, failed] = ["Complete", "Failed"].map((type) => conditionOf(status?.conditions, type));
  const isFailed = failed?.status === "True";
  const isComplete = complete?.status === "True";
  const outcome = isFailed ? "failed" : isComplete ? "complete" : spec?.suspend === true ? "suspended" : "running";
  const job: JobState = {
    completions: spec?.completions ?? null,
    active,
    succeeded,
    failed: status?.failed ?? 0,
    startedAt: status?.startTime ?? null,
    completedAt: status?.completionTime ?? (isFailed ? (failed.lastTransitionTime ?? null) : null),
    outcome,
    reason: isFailed ? wordsOf(failed.reason) : null,
    message: isFailed ? wordsOf(failed.message) : null,
  };
  const desired = outcome === "running" ? Math.min(spec?.parallelism ?? 1, Math.max((spec?.completions ?? 1) - succeeded, 1)) : 0;
  return ownOf("Job", metadata, spec?.template, {
    replicas: { desired, current: active, ready: active, updated: active, available: active },
    job,
  });
}

const SCHEDULE_FIELDS = ["f:schedule", "f:suspend", "f:timeZone"];

/** The latest time of the owners of these fields. The owner may have changed another of its fields then, so it is never too early. */
function scheduleChangedAt({ managedFields }: CronJobAnswer["metadata"]): Date | null {
  const times = (managedFields ?? []).flatMap(({ time, fieldsV1 }) =>
    time != null && SCHEDULE_FIELDS.some((field) => fieldsV1?.["f:spec"]?.[field] !== undefined) ? time.getTime() : [],
  );
  return times.length === 0 ? null : new Date(Math.max(...times));
}

export function cronJobOf({ metadata, spec, status }: CronJobAnswer): OwnWorkload {
  const active = status?.active?.length ?? 0;
  const cronJob: CronJobState = {
    schedule: spec?.schedule ?? "",
    timeZone: wordsOf(spec?.timeZone),
    suspended: spec?.suspend === true,
    startingDeadlineSeconds: spec?.startingDeadlineSeconds ?? null,
    concurrencyPolicy: (["Forbid", "Replace"] as const).find((policy) => policy === spec?.concurrencyPolicy) ?? "Allow",
    active,
    scheduleChangedAt: scheduleChangedAt(metadata),
    lastScheduledAt: status?.lastScheduleTime ?? null,
    lastSuccessAt: status?.lastSuccessfulTime ?? null,
    lastOutcome: null,
  };
  return ownOf("CronJob", metadata, spec?.jobTemplate?.spec?.template, {
    replicas: { desired: null, current: active, ready: active, updated: active, available: active },
    cronJob,
  });
}

/** Of a pod that nothing controls, which is a workload itself. */
export function barePodOf(pod: PodAnswer): OwnWorkload {
  const { metadata, status } = pod;
  const current = status?.phase === "Succeeded" || status?.phase === "Failed" ? 0 : 1;
  const ready = conditionOf(status?.conditions, "Ready")?.status === "True" ? 1 : 0;
  const replicas = { desired: current, current, ready, updated: ready, available: ready };
  return { ...ownOf("Pod", metadata, pod, { replicas }), owner: null };
}

function replicasOf(spec: ReplicatedAnswer["spec"], status: ReplicatedAnswer["status"]): ReplicaCounts {
  return {
    desired: spec?.replicas ?? 1,
    current: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
  };
}

/** Whether its controller has not looked at its newest spec yet. */
function isBehind({ generation }: MetadataAnswer, observed: number | string | null | undefined): boolean {
  return generation != null && Number(observed ?? 0) < generation;
}

interface Rolling {
  spec: ReplicatedAnswer["spec"];
  status: ReplicatedAnswer["status"];
  replicas: ReplicaCounts;
  isOutdated: boolean;
}

function rolloutOfDeployment({ spec, status, replicas, isOutdated }: Rolling): KubernetesRollout {
  const progressing = conditionOf(status?.conditions, "Progressing");
  const words = { reason: wordsOf(progressing?.reason), message: wordsOf(progressing?.message) };
  const { desired, current, updated, available } = replicas;
  // By these two the controller decides too that a rollout is over, however many pods are missing. Without a deadline it sets no condition.
  const isIn = !isOutdated && current === updated && (progressing === undefined || progressing.reason === "NewReplicaSetAvailable");
  if (!isOutdated && updated === desired && current === updated && available === updated) return { state: "complete", ...words };
  if (spec?.paused === true) return { state: "paused", ...words };
  if (!isOutdated && progressing?.status === "False") return { state: "stalled", ...words };
  return { state: isIn ? "complete" : "progressing", ...words };
}
