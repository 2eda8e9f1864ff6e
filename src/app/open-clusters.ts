import type { Event } from "../events.ts";
import type { Route } from "../http/route.ts";
import type { Tool } from "../mcp/tool.ts";
import type { Kubernetes } from "../monitoring/kubernetes/index.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import type { Endpoints } from "../monitoring/endpoints/index.ts";
import { createMoveContainer } from "../monitoring/move-container.ts";
import type { Swarm } from "../monitoring/swarm/index.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { type KubernetesParts, openKubernetes } from "./open-kubernetes.ts";
import { openSwarm, type SwarmParts } from "./open-swarm.ts";

/** What is seen of clusters, of whatever kind. */
export interface Clusters {
  swarm: Swarm;
  kubernetes: Kubernetes;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Tool[];
  announcers: { source: "swarm" | "kubernetes"; announce(): Event[] }[];
  /** Whether a cluster is shown now. */
  watches: { seesSwarm(clusterId: string): boolean; seesKubernetes(clusterId: string, alert: string): boolean };
}

export type ClusterParts = Omit<SwarmParts & KubernetesParts, "moveContainer"> & {
  containers: Pick<Containers, "move">;
  endpoints: Pick<Endpoints, "moved">;
};

/** Swarms and Kubernetes clusters, registered with the lifecycle. */
export function openClusters(parts: ClusterParts, lifecycle: Lifecycle): Clusters {
  const moveContainer = createMoveContainer(parts.containers, parts.endpoints);
  const swarm = openSwarm({ ...parts, moveContainer }, lifecycle);
  const kubernetes = openKubernetes({ ...parts, moveContainer }, lifecycle);
  return {
    swarm,
    kubernetes,
    routes: [...swarm.routes, ...kubernetes.routes],
    tools: () => [...swarm.tools(), ...kubernetes.tools()],
    announcers: [
      { source: "swarm", announce: swarm.announce },
      { source: "kubernetes", announce: kubernetes.announce },
    ],
    watches: { seesSwarm: swarm.isObserved, seesKubernetes: kubernetes.isObserved },
  };
}
