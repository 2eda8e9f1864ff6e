import { createIndex } from "./keyed.ts";
import { type Root, rootOf } from "./owners.ts";
import type { StoredCluster, StoredPod } from "./stored.ts";

/** Which pods are of which workload. */
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
