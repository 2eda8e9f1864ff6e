import type { Alert } from "../alerting/index.ts";
import type { Event, EventData } from "../events.ts";
import type { MoveContainer } from "../monitoring/move-container.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import { type ActiveKubernetesAlert, createKubernetes, type Kubernetes } from "../monitoring/kubernetes/index.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface KubernetesParts {
  database: Database;
  containers: Pick<Containers, "present">;
  moveContainer: MoveContainer;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** All that is wrong now; alerting is built after this. */
  active(): readonly Alert[];
}

/** Kubernetes clusters, registered with the lifecycle. */
export function openKubernetes({ active, ...parts }: KubernetesParts, lifecycle: Lifecycle): Kubernetes {
  const kubernetes = createKubernetes({ ...parts, activeAlerts: () => active().flatMap(asKubernetesAlert) });
  lifecycle.add("kubernetes", kubernetes);
  return kubernetes;
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
