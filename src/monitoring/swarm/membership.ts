import type { SwarmService } from "../../observations/swarm.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Register } from "./register.ts";
import { type Cluster, SETTLING_MS } from "./replicas.ts";

export const TASK_ID = "com.docker.swarm.task.id";
export const NODE_ID = "com.docker.swarm.node.id";
const SERVICE_ID = "com.docker.swarm.service.id";

type Labels = Readonly<Record<string, string>>;

/** A container of a host. */
export interface HostContainer {
  agentId: string | null;
  labels: Labels;
}

/** To which clusters hosts and their containers belong, by what each host shows itself: what one shows of a cluster holds for no other. */
export interface Membership {
  /** The id of the cluster that a host is part of: as its engine names it, or by the node that its engine is. */
  clusterOf(agentId: string | null): string | undefined;
  /** The cluster of a container, as far as it was shown; of a host that does not say which node it is, by the node in the container's labels. */
  ofContainer(container: HostContainer): Cluster | undefined;
  /** The service that a container is a task of, as its cluster showed it last. */
  serviceOf(container: HostContainer): SwarmService | undefined;
  /** Whether a host is that node of its cluster. */
  isNode(agentId: string | null, nodeId: string): boolean;
  /** Whether a cluster may continue what a host did for one of its services: the host is part of it, or of none. */
  mayContinue(clusterId: string, agentId: string | null): boolean;
  /** A minute after the start managers have shown their swarms. Sooner nobody is placed by a node: the first that names it may not be its manager. */
  isSettled(): boolean;
}

/** The service that a container is a task of, by its labels. */
export function serviceIdOf({ labels }: { labels: Labels }): string | undefined {
  return labels[SERVICE_ID];
}

export function createMembership({
  register,
  clock,
}: {
  register: Pick<Register, "view" | "views" | "cluster" | "ownerOf" | "version">;
  clock: Pick<Clock, "monotonicMs">;
}): Membership {
  const startedMs = clock.monotonicMs();
  const isSettled = (): boolean => clock.monotonicMs() - startedMs >= SETTLING_MS;

  /** By host, as long as nothing has changed. */
  const known = new Map<string | null, string | undefined>();
  let knownBy = "";

  function clusterOf(agentId: string | null): string | undefined {
    const by = `${register.version()} ${isSettled()}`;
    if (by !== knownBy) known.clear();
    knownBy = by;
    if (!known.has(agentId)) known.set(agentId, findCluster(agentId));
    return known.get(agentId);
  }

  function findCluster(agentId: string | null): string | undefined {
    const view = register.view(agentId);
    if (view === undefined || view.swarm.standing === "inactive") return undefined;
    return view.clusterId ?? (view.swarm.nodeId === null ? undefined : clusterOfWorker(agentId, view.swarm.nodeId));
  }

  /** One that claims to be the node of a manager that is watched is not. */
  function clusterOfWorker(agentId: string | null, nodeId: string): string | undefined {
    const clusterId = isSettled() ? (register.ownerOf(nodeId) ?? undefined) : undefined;
    const isTaken = register
      .views()
      .some((each) => each.agentId !== agentId && each.clusterId === clusterId && each.swarm.nodeId === nodeId);
    return isTaken ? undefined : clusterId;
  }

  function ofContainer({ agentId, labels }: HostContainer): Cluster | undefined {
    const swarm = register.view(agentId)?.swarm;
    const isSilent = swarm === undefined || (swarm.nodeId === null && swarm.standing !== "inactive");
    const ofLabel = isSilent && isSettled() ? register.ownerOf(labels[NODE_ID] ?? "") : undefined;
    const id = clusterOf(agentId) ?? ofLabel;
    return id == null ? undefined : register.cluster(id);
  }

  return {
    clusterOf,
    ofContainer,
    isSettled,
    serviceOf(container) {
      const id = serviceIdOf(container);
      return id === undefined ? undefined : ofContainer(container)?.topology.services.find((each) => each.id === id);
    },
    isNode: (agentId, nodeId) => register.view(agentId)?.swarm.nodeId === nodeId,
    mayContinue(clusterId, agentId) {
      const of = clusterOf(agentId);
      if (of !== undefined) return of === clusterId;
      return isSettled() || register.view(agentId)?.swarm.standing === "inactive";
    },
  };
}
