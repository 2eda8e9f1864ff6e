import type { AutoscalerState, CronJobState } from "../../../observations/kubernetes-workloads.ts";
import type { RuntimeWorkload } from "../../runtime.ts";
import type { OwnWorkload } from "../objects/workload.ts";
import { type PodPlaces, createIndex, type Root } from "./pods.ts";
import type { StoredCluster, StoredKind, WORKLOADS, StoredPod } from "./stored.ts";

/** Where the objects of a kind of workload are kept, by its kind. */
const KEPT: Readonly<Record<string, StoredKind>> = {
  Deployment: "deployments",
  StatefulSet: "statefulSets",
  DaemonSet: "daemonSets",
  ReplicaSet: "replicaSets",
  Job: "jobs",
  CronJob: "cronJobs",
};

/** Workloads as their objects, autoscalers, jobs and pods make them together. */
export interface Workloads {
  get(id: string): RuntimeWorkload | undefined;
  /** An object came, changed or went; answers the workloads that this is news for. */
  touchedBy(kind: (typeof WORKLOADS)[number], id: string): string[];
  /** The same of an autoscaler. */
  scaledBy(id: string): string[];
  /** Of a workload's pods, which services select by; undefined where it is not there. */
  podLabelsOf(id: string): Readonly<Record<string, string>> | undefined;
}

export function createWorkloads(cluster: StoredCluster, places: Pick<PodPlaces, "podsOf" | "rootById">): Workloads {
  /** ReplicaSets and jobs by who controls them. */
  const controlled = createIndex();
  /** Autoscalers by what they scale, and workloads by the name by which they are scaled. */
  const scalers = createIndex();
  const named = createIndex();

  function ownOf(id: string): OwnWorkload | undefined {
    const { deployments, statefulSets, daemonSets, cronJobs, replicaSets, jobs, pods } = cluster;
    const known = deployments.items().get(id) ?? statefulSets.items().get(id) ?? daemonSets.items().get(id) ?? cronJobs.items().get(id);
    if (known !== undefined) return known;
    const job = jobs.items().get(id);
    if (job !== undefined) return job.owner?.kind === "CronJob" ? undefined : job;
    const set = replicaSets.items().get(id);
    if (set !== undefined) return set.owner === null ? set : undefined;
    return pods.items().get(id)?.own ?? undefined;
  }

  /** Known by its pods alone. One whose kind is read, and that is not there, was removed: its pods follow. */
  function foreignOf(id: string): RuntimeWorkload | undefined {
    const root = places.rootById(id);
    const kind = root && KEPT[root.kind];
    if (root === undefined || (kind !== undefined && cluster[kind].isListed() && !cluster[kind].isAbsent())) return undefined;
    return foreignWorkload(root, places.podsOf(id), setsOf(id));
  }

  function setsOf(id: string): OwnWorkload[] {
    return [...controlled.of(id)].flatMap((each) => cluster.replicaSets.items().get(each) ?? []);
  }

  function autoscalerOf({ namespace, kind, name }: RuntimeWorkload): AutoscalerState | null {
    const [first] = scalers.of(`${namespace}/${kind}/${name}`);
    return first === undefined ? null : (cluster.autoscalers.items().get(first)?.state ?? null);
  }

  /** How the newest of its jobs that are over ended. */
  function lastOutcomeOf(id: string): CronJobState["lastOutcome"] {
    const over = [...controlled.of(id)].flatMap((each) => {
      const { workload } = cluster.jobs.items().get(each) ?? {};
      const outcome = workload?.job?.outcome;
      if (workload?.job == null || (outcome !== "complete" && outcome !== "failed")) return [];
      const { reason, startedAt, completedAt: finishedAt } = workload.job;
      return { startedAt, ended: { jobName: workload.name, outcome, reason, finishedAt } };
    });
    // Clusters report times by the second: of runs that ended in the same one the later begun is the newest, else the one that succeeded.
    const [newest] = over.toSorted(
      (a, b) =>
        msOf(b.ended.finishedAt) - msOf(a.ended.finishedAt) ||
        msOf(b.startedAt) - msOf(a.startedAt) ||
        Number(b.ended.outcome === "complete") - Number(a.ended.outcome === "complete"),
    );
    return newest?.ended ?? null;
  }

  return {
    get(id) {
      const workload = ownOf(id)?.workload ?? foreignOf(id);
      if (workload === undefined) return undefined;
      const cronJob = workload.cronJob && { ...workload.cronJob, lastOutcome: lastOutcomeOf(id) };
      return { ...workload, cronJob, autoscaler: autoscalerOf(workload) };
    },
    touchedBy(kind, id) {
      const stored = cluster[kind].items().get(id);
      if (kind !== "replicaSets" && kind !== "jobs") {
        named.set(id, stored && `${stored.workload.namespace}/${stored.workload.kind}/${stored.workload.name}`);
        return [id];
      }
      const before = controlled.keyOf(id);
      controlled.set(id, stored?.owner?.id);
      return [id, before, stored?.owner?.id].flatMap((each) => each ?? []);
    },
    scaledBy(id) {
      const stored = cluster.autoscalers.items().get(id);
      const before = scalers.keyOf(id);
      const after = stored && `${stored.namespace}/${stored.target.kind}/${stored.target.name}`;
      scalers.set(id, after);
      return [before, after].flatMap((key) => (key === undefined ? [] : [...named.of(key)]));
    },
    podLabelsOf(id) {
      const own = ownOf(id);
      if (own !== undefined) return own.podLabels;
      return setsOf(id)[0]?.podLabels ?? places.podsOf(id)[0]?.labels;
    },
  };
}

function msOf(time: Date | null): number {
  return time?.getTime() ?? 0;
}

/** A workload that is not read itself, by its pods and the ReplicaSets between; as an Argo Rollout. undefined while it has neither. */
function foreignWorkload(root: Root, pods: readonly StoredPod[], between: readonly OwnWorkload[]): RuntimeWorkload | undefined {
  const there = pods.filter(({ pod }) => pod.deletingSince === null);
  const [newest] = between.toSorted((a, b) => timeOf(b) - timeOf(a));
  const [first] = pods;
  const namespace = newest?.workload.namespace ?? first?.pod.namespace;
  if (namespace === undefined) return undefined;
  const desired = between.length > 0 ? between.reduce((sum, { workload }) => sum + (workload.replicas.desired ?? 0), 0) : there.length;
  const ready = there.filter(({ pod }) => pod.ready).length;
  return {
    id: root.id,
    name: root.name,
    namespace,
    createdAt: null,
    kind: root.kind,
    labels: { ...(newest?.podLabels ?? first?.labels) },
    containers:
      newest?.workload.containers ??
      (first?.pod.containers ?? []).map(({ name, kind, image, requests, limits }) => ({ name, kind, image, requests, limits })),
    replicas: { desired, current: there.length, ready, updated: there.length, available: ready },
    rollout: null,
    isOutdated: false,
    job: null,
    cronJob: null,
    autoscaler: null,
    security: newest?.workload.security ?? null,
    revision: null,
  };
}

function timeOf({ workload }: OwnWorkload): number {
  return workload.createdAt?.getTime() ?? 0;
}
