import type { PresentContainers } from "../containers/index.ts";
import type { MoveContainer } from "../move-container.ts";
import type { Cluster } from "./cluster.ts";

export interface FollowedHosts {
  clusters: () => readonly Cluster[];
  /** Whether a host may still speak for its cluster. */
  isWatching: (agentId: string | null) => boolean;
  present: Pick<PresentContainers, "find" | "hosts" | "ofHost" | "runtimeOf">;
  move: MoveContainer;
}

/**
 * Returns a function that moves the rows of a cluster to the host that watches it now: their settings and history belong to the cluster, not to one of its
 * agents. It throws `storage_unavailable`, and may be called again.
 */
export function followWatchingHosts({ clusters, isWatching, present, move }: FollowedHosts): () => Promise<void> {
  function leftHosts(agentId: string | null): (string | null)[] {
    return [...present.hosts()].filter((each) => each !== agentId && present.runtimeOf(each) === "kubernetes" && !isWatching(each));
  }

  return async () => {
    for (const { isObserved, agentId } of clusters()) {
      const left = isObserved ? leftHosts(agentId) : [];
      if (left.length === 0) continue;
      for (const successor of present.ofHost(agentId).filter(({ runtime }) => runtime === "kubernetes")) {
        // The identifiers of Kubernetes are those of one cluster alone.
        const before = left.flatMap((each) => present.find(each, successor.externalId) ?? []).find(({ id }) => id < successor.id);
        if (before !== undefined) await move(before, successor);
      }
    }
  };
}
