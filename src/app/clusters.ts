import type { Alert } from "../alerting/index.ts";
import type { Event, EventData } from "../events.ts";
import type { Route } from "../http/route.ts";
import type { Tool } from "../mcp/tool.ts";
import type { ServiceCertificates } from "../monitoring/certificates/index.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import type { Endpoints, ServiceEndpoints } from "../monitoring/endpoints/index.ts";
import { type ActiveKubernetesAlert, createKubernetes, type Kubernetes } from "../monitoring/kubernetes/index.ts";
import { createMoveContainer } from "../monitoring/move-container.ts";
import { type ActiveSwarmAlert, createSwarm, type Swarm } from "../monitoring/swarm/index.ts";
import type { ServicePortsOf } from "../monitoring/updates/index.ts";
import type { ObservationSink } from "../observations.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";

/** What is seen of clusters, of whatever kind. */
export interface Clusters {
  swarm: Swarm;
  kubernetes: Kubernetes;
  /** Ports of a container's service that its cluster opens to the outside; undefined: not known. */
  servicePortsOf: ServicePortsOf;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  announcers: { source: "swarm" | "kubernetes"; announce(): Event[] }[];
  /** Whether a cluster is shown now. */
  watches: { seesSwarm(clusterId: string): boolean; seesKubernetes(clusterId: string, alert: string): boolean };
}

export interface ClusterParts {
  database: Database;
  containers: Pick<Containers, "present" | "service" | "move">;
  endpoints: Pick<Endpoints, "moved"> & ServiceEndpoints;
  certificates: ServiceCertificates;
  sink: ObservationSink;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** All that is wrong now, as alerting keeps it. */
  activeAlerts: ReadonlyMap<string, Alert>;
}

/** Swarms and Kubernetes clusters. */
export function createClusters({ activeAlerts, ...parts }: ClusterParts): Clusters {
  const moveContainer = createMoveContainer(parts.containers, parts.endpoints);
  const active = (): Alert[] => [...activeAlerts.values()];
  const swarm = createSwarm({ ...parts, moveContainer, activeAlerts: () => active().flatMap(asSwarmAlert) });
  const kubernetes = createKubernetes({ ...parts, moveContainer, activeAlerts: () => active().flatMap(asKubernetesAlert) });
  return {
    swarm,
    kubernetes,
    servicePortsOf: (container) => (container.runtime === "kubernetes" ? kubernetes : swarm).servicePortsOf(container),
    routes: [...swarm.routes, ...kubernetes.routes],
    tools: async () => (await Promise.all([swarm.tools(), kubernetes.tools()])).flat(),
    announcers: [
      { source: "swarm", announce: swarm.announce },
      { source: "kubernetes", announce: kubernetes.announce },
    ],
    watches: { seesSwarm: swarm.isObserved, seesKubernetes: kubernetes.isObserved },
  };
}

/** What an alert of a swarm was raised with, as far as it is kept. */
function asSwarmAlert(alert: Alert): ActiveSwarmAlert[] {
  const { source, event, entity, details, entityName, agentId, severity, message, cause, parents, labels, channels, tags } = alert;
  const clusterId = details["cluster_id"];
  if (source !== "swarm" || typeof clusterId !== "string") return [];
  const data: ActiveSwarmAlert["data"] = {
    // It was raised by such an event.
    alert: event as EventData["swarm.alert"]["alert"],
    entity_type: entity.type as EventData["swarm.alert"]["entity_type"],
    ...{ id: entity.id, agent_id: agentId, name: entityName, cluster_id: clusterId, severity, message, cause },
    node_ids: parents.filter(({ type }) => type === "swarm_node").map(({ id }) => id),
    stack: typeof details["stack"] === "string" ? details["stack"] : null,
    labels: { ...labels },
    alert_channels: [...channels],
    alert_tags: [...tags],
    since: typeof details["since"] === "string" ? details["since"] : alert.firedAt.toISOString(),
  };
  return [{ alert: event, clusterId, data }];
}

/** What an alert of a cluster was raised with, as far as it is kept. */
function asKubernetesAlert(alert: Alert): ActiveKubernetesAlert[] {
  const { source, event, entity, details, entityName, agentId, severity, message, cause, parents, labels, channels, tags } = alert;
  const clusterId = details["cluster_id"];
  if (source !== "kubernetes" || typeof clusterId !== "string") return [];
  const textOf = (name: string): string | null => (typeof details[name] === "string" ? details[name] : null);
  const data: ActiveKubernetesAlert["data"] = {
    // It was raised by such an event.
    alert: event as EventData["kubernetes.alert"]["alert"],
    entity_type: entity.type as EventData["kubernetes.alert"]["entity_type"],
    ...{ id: entity.id, agent_id: agentId, name: entityName, cluster_id: clusterId, severity, message, cause },
    node_ids: parents.filter(({ type }) => type === "kubernetes_node").map(({ id }) => id),
    ...{ namespace: textOf("namespace"), kind: textOf("kind") },
    labels: { ...labels },
    alert_channels: [...channels],
    alert_tags: [...tags],
    since: textOf("since") ?? alert.firedAt.toISOString(),
  };
  return [{ clusterId, data }];
}
