import type { StoredCluster, StoredPod } from "./stored.ts";

/** The workload at the top of a pod's owners. */
export interface Root {
  id: string;
  kind: string;
  name: string;
  jobName: string | null;
}

/** Undefined while an owner between them is not known yet. */
export function rootOf({ pod, owner }: StoredPod, cluster: Pick<StoredCluster, "replicaSets" | "jobs">): Root | undefined {
  // The pods that a kubelet runs by itself belong to their node.
  if (owner === null || owner.kind === "Node") return { id: pod.id, kind: "Pod", name: pod.name, jobName: null };
  const between = owner.kind === "ReplicaSet" ? cluster.replicaSets : owner.kind === "Job" ? cluster.jobs : undefined;
  const jobName = owner.kind === "Job" ? owner.name : null;
  if (between === undefined) return { ...owner, jobName };
  const found = between.items().get(owner.id);
  if (found === undefined) return between.isListed() && !between.isAbsent() ? undefined : { ...owner, jobName };
  // A job that something else than a CronJob made is a workload of its own.
  const above = owner.kind === "Job" && found.owner?.kind !== "CronJob" ? null : found.owner;
  return { ...(above ?? owner), jobName };
}
