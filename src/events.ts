/**
 * What changed: the vocabulary of the bus, of the event stream and of webhooks. `data` is the JSON that goes over the wire,
 * hence its spelling. Published only after what it reports was saved. Source: specification, Events; contract, section 16.
 */
import { ALERTING_EVENTS, type AlertingEvents } from "./events/alerting.ts";
import { CHECK_EVENTS, type CheckEvents } from "./events/checks.ts";
import { CONTAINER_EVENTS, type ContainerEvents, RUNTIME_EVENTS, type RuntimeEvents } from "./events/containers.ts";
import { FLEET_EVENTS, type FleetEvents } from "./events/fleet.ts";
import { KUBERNETES_EVENTS, type KubernetesEvents } from "./events/kubernetes.ts";
import { SECURITY_EVENTS, type SecurityEvents } from "./events/security.ts";
import { STATUS_EVENTS, type StatusEvents } from "./events/status.ts";
import { SWARM_EVENTS, type SwarmEvents } from "./events/swarm.ts";
import { UPDATE_EVENTS, type UpdateEvents } from "./events/updates.ts";

export type { AlertData } from "./events/alerting.ts";
export type { EndpointStatus } from "./contract/endpoint.ts";
export { type ResourceMetric } from "./contract/thresholds.ts";
export { CONTAINER_STATES } from "./events/containers.ts";
export type { ContainerState, HostData, SnapshotData } from "./events/containers.ts";
export { HEARTBEAT_REASONS, PING_KINDS } from "./events/checks.ts";
export type { CertificateAlert, CertificateStatus, HeartbeatReason, HeartbeatStatus, PingKind } from "./events/checks.ts";
export { AGENT_STATUSES, CONNECTION_STATES } from "./events/fleet.ts";
export type { AgentData, AgentStatus, ConnectionState } from "./events/fleet.ts";
export { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "./events/security.ts";
export type { InsightSeverity, InsightType } from "./events/security.ts";

export { SERVICE_STATES, SWARM_ALERTS } from "./events/swarm.ts";
export type { NodeData, ServiceData, ServiceState, SwarmAlert, TaskChange } from "./events/swarm.ts";

export { KUBERNETES_ALERTS, KUBERNETES_NODE_STATES, WORKLOAD_STATES } from "./events/kubernetes.ts";
export type {
  KubernetesAlert,
  KubernetesNodeData,
  KubernetesNodeState,
  PodChange,
  WorkloadData,
  WorkloadState,
} from "./events/kubernetes.ts";

export type { UpdateStatus, UpdateType } from "./events/updates.ts";

export interface EventData
  extends
    ContainerEvents,
    CheckEvents,
    RuntimeEvents,
    SecurityEvents,
    UpdateEvents,
    AlertingEvents,
    StatusEvents,
    FleetEvents,
    SwarmEvents,
    KubernetesEvents {}

export type EventName = keyof EventData;
export type Event<Name extends EventName = EventName> = { [N in Name]: { type: N; data: EventData[N] } }[Name];

/** Every event the program publishes, and what it means; the documentation and the surface test read it. */
export const EVENTS: Record<EventName, string> = {
  ...CONTAINER_EVENTS,
  ...CHECK_EVENTS,
  ...RUNTIME_EVENTS,
  ...SECURITY_EVENTS,
  ...UPDATE_EVENTS,
  ...ALERTING_EVENTS,
  ...STATUS_EVENTS,
  ...FLEET_EVENTS,
  ...SWARM_EVENTS,
  ...KUBERNETES_EVENTS,
};

/** Events that the next one of their kind supersedes: not repeated to a client that was away. */
export const SUPERSEDED_EVENTS: ReadonlySet<EventName> = new Set([
  "resource.snapshot",
  "endpoint.check_result",
  "update.scan_progress",
  "agent.spool",
]);
