import type { ObservationSink } from "../../observations.ts";
import type { SwarmTopology } from "../../observations/swarm.ts";
import type { ServiceCertificates } from "../certificates/index.ts";
import type { ServiceEndpoints } from "../endpoints/index.ts";
import type { Cluster } from "./cluster.ts";
import type { Register } from "./register.ts";
import type { TaskContainers } from "./task-containers.ts";

export interface FollowedLabels {
  register: Pick<Register, "clusters" | "views">;
  taskContainers: Pick<TaskContainers, "outdated">;
  endpoints: ServiceEndpoints;
  certificates: ServiceCertificates;
  sink: ObservationSink;
}

interface Followed {
  topology: SwarmTopology;
  agentId: string | null;
  hosts: (string | null)[];
  managers: (string | null)[];
}

/**
 * Answers what makes containers and endpoints what labels of services ask for now; to be called after each look at a swarm. Throws
 * `storage_unavailable`; calling it again is harmless.
 */
export function followServiceLabels({ register, taskContainers, endpoints, certificates, sink }: FollowedLabels): () => Promise<void> {
  const followed = new Map<string, Followed>();

  async function follow({ id, topology, agentId, hosts }: Cluster): Promise<void> {
    const known = followed.get(id);
    const managers = hosts.filter(({ standing }) => standing === "manager").map((host) => host.agentId);
    const next = { topology, agentId, hosts: hosts.map((host) => host.agentId), managers };
    const isSame =
      known?.topology === topology &&
      known.agentId === agentId &&
      String(known.hosts) === String(next.hosts) &&
      String(known.managers) === String(managers);
    if (isSame) return;
    await endpoints.followServices({ ...next, services: topology.services });
    await certificates.followServices({ ...next, services: topology.services });
    followed.set(id, next);
    for (const container of taskContainers.outdated(id, topology.services)) sink.observe(container.agentId, container.observation);
  }

  /** Of hosts that were part of a swarm and are in none now. */
  async function endLeft(): Promise<void> {
    const left = register.views().flatMap(({ agentId, swarm: { standing } }) => (standing === "inactive" ? [agentId] : []));
    if (left.length === 0) return;
    await endpoints.followServices({ agentId: null, hosts: left, services: [] });
    await certificates.followServices({ managers: [], hosts: left, services: [] });
  }

  return async () => {
    const clusters = register.clusters();
    for (const cluster of clusters) if (cluster.isObserved) await follow(cluster);
    for (const id of followed.keys()) if (!clusters.some((cluster) => cluster.id === id)) followed.delete(id);
    await endLeft();
  };
}
