import type { StoredCluster, StoredPod } from "./stored.ts";

/** Which workload each pod belongs to. */
export interface PodPlaces {
  /** Looks again at a pod that came, changed or went; answers the workloads that this is news for. */
  place(id: string): string[];
  /** The pods that an object controls, as a ReplicaSet that came after them. */
  controlledBy(ownerId: string): ReadonlySet<string>;
  root(podId: string): Root | undefined;
  podsOf(workloadId: string): StoredPod[];
  /** Of a workload that has pods. */
  rootById(workloadId: string): Root | undefined;
}

export function createPodPlaces(cluster: Pick<StoredCluster, "pods" | "replicaSets" | "jobs">): PodPlaces {
  const roots = new Map<string, Root>();
  const byRoot = createIndex();
  const byOwner = createIndex();
  return {
    place(id) {
      const stored = cluster.pods.items().get(id);
      const before = byRoot.keyOf(id);
      const root = stored && rootOf(stored, cluster);
      byOwner.set(id, stored?.owner?.id);
      byRoot.set(id, root?.id);
      if (root === undefined) roots.delete(id);
      else roots.set(id, root);
      return [...new Set([before, root?.id].flatMap((each) => each ?? []))];
    },
    controlledBy: byOwner.of,
    root: (podId) => roots.get(podId),
    podsOf: (workloadId) => [...byRoot.of(workloadId)].flatMap((id) => cluster.pods.items().get(id) ?? []),
    rootById(workloadId) {
      const [first] = byRoot.of(workloadId);
      return first === undefined ? undefined : roots.get(first);
    },
  };
}

/** Things by a key that each has one of, and that may change. */
interface Index {
  /** undefined: it has none, or is gone. */
  set(id: string, key: string | undefined): void;
  keyOf(id: string): string | undefined;
  of(key: string): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function createIndex(): Index {
  const keys = new Map<string, string>();
  const things = new Map<string, Set<string>>();
  return {
    set(id, key) {
      const before = keys.get(id);
      if (before === key) return;
      if (before !== undefined) {
        const known = things.get(before);
        known?.delete(id);
        if (known?.size === 0) things.delete(before);
        keys.delete(id);
      }
      if (key === undefined) return;
      keys.set(id, key);
      const known = things.get(key);
      if (known === undefined) things.set(key, new Set([id]));
      else known.add(id);
    },
    keyOf: (id) => keys.get(id),
    of: (key) => things.get(key) ?? NONE,
  };
}

/** The workload at the top of a pod's owners. */
export interface Root {
  id: string;
  kind: string;
  name: string;
  jobName: string | null;
}

/** Undefined while an owner between them is not known yet. */
function rootOf({ pod, owner }: StoredPod, cluster: Pick<StoredCluster, "replicaSets" | "jobs">): Root | undefined {
  // The pods that a kubelet runs by itself belong to their node.
  if (owner === null || owner.kind === "Node") return { id: pod.id, kind: "Pod", name: pod.name, jobName: null };
  const between = owner.kind === "ReplicaSet" ? cluster.replicaSets : owner.kind === "Job" ? cluster.jobs : undefined;
  const jobName = owner.kind === "Job" ? owner.name : null;
  if (between === undefined) return { ...owner, jobName };
  const found = between.items().get(owner.id);
  if (found === undefined) return between.isListed() && !between.isAbsent() ? undefined : { ...owner, jobName };
  // A job that something else than a CronJob made is a separate workload.
  const above = owner.kind === "Job" && found.owner?.kind !== "CronJob" ? null : found.owner;
  return { ...(above ?? owner), jobName };
}
