import type { RuntimeWorkload } from "../../runtime.ts";
import type { OwnWorkload } from "../objects/workload.ts";
import type { Root } from "./owners.ts";
import type { StoredPod } from "./stored.ts";

/** A workload that is not read itself, by its pods and the ReplicaSets between; as an Argo Rollout. undefined while it has neither. */
export function foreignWorkload(root: Root, pods: readonly StoredPod[], between: readonly OwnWorkload[]): RuntimeWorkload | undefined {
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
