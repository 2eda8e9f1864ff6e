import type { Alert } from "../alerting/index.ts";
import type { Event, EventData } from "../events.ts";
import type { ObservationSink } from "../observations.ts";
import type { MoveContainer } from "../monitoring/move-container.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import { type ActiveSwarmAlert, createSwarm, type Swarm } from "../monitoring/swarm/index.ts";
import type { ServiceCertificates } from "../monitoring/certificates/index.ts";
import type { ServiceEndpoints } from "../monitoring/endpoints/index.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface SwarmParts {
  containers: Pick<Containers, "present" | "service">;
  moveContainer: MoveContainer;
  endpoints: ServiceEndpoints;
  certificates: ServiceCertificates;
  sink: ObservationSink;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** All that is wrong now; alerting is built after this. */
  active(): readonly Alert[];
}

/** Swarms, registered with the lifecycle. */
export function openSwarm({ active, ...parts }: SwarmParts, lifecycle: Lifecycle): Swarm {
  const swarm = createSwarm({ ...parts, activeAlerts: () => active().flatMap(asSwarmAlert) });
  lifecycle.add("swarm", swarm);
  return swarm;
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
