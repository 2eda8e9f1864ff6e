import type { Event, EventData, EventName } from "../../events.ts";
import type { AlertKey, Problem, Resolution, Severity } from "../vocabulary.ts";
import { certificateDeleted, certificateProblem, certificateRecovery, heartbeatDeleted, heartbeatSignals } from "./check-sources.ts";
import { disconnected, hostGone, runtimeLost } from "./host-sources.ts";
import { kubernetesAlert, swarmAlert } from "./cluster-sources.ts";
import { lengthText, type Recent } from "./recent.ts";
import { exposure, insightsChanged, lowPosture, available, regression } from "./container-sources.ts";
import { about, clear, NOT_ENABLED, raise, seenWell, type Signal, severityOf, containerEntity, endpointEntity, hostOf } from "./signals.ts";

type Reading<Name extends EventName> = (data: EventData[Name], recent: Recent) => Signal[];

/** Which events report which problems. A new source is one more line. Source: specification, Alert. */
const READINGS: { readonly [Name in EventName]?: Reading<Name> } = {
  "container.restart_alert": restartSignals,
  "container.health_changed": healthSignals,
  "container.down": (data, recent) => [data.down ? raise(down(data, recent)) : clear(downKey(data.id), downEnd(data))],
  // After a restart of this program nobody remembers that the container was down, so a running container ends the alert.
  "container.state_changed": ({ id, state, stop_requested }) =>
    state === "running" ? [clear(downKey(id), downEnd({ state, stop_requested }))] : [],
  "container.removed": ({ id }) => OF_CONTAINERS.map(([source, event]) => clear({ source, event, entity: containerEntity(id) }, REMOVED)),
  "endpoint.alert": (data, recent) => [raise(endpointFailure(data, recent))],
  "endpoint.recovery": ({ id, reason }) => [clear(endpointKey(id), ENDPOINT_ENDS[reason])],
  "endpoint.removed": ({ id }) => [clear(endpointKey(id), ENDPOINT_ENDS.removed)],
  "heartbeat.pinged": heartbeatSignals,
  "heartbeat.deadline_missed": heartbeatSignals,
  "heartbeat.recovered": heartbeatSignals,
  "heartbeat.updated": heartbeatSignals,
  "heartbeat.deleted": heartbeatDeleted,
  "certificate.alert": (data) => [raise(certificateProblem(data))],
  "certificate.recovery": certificateRecovery,
  "certificate.deleted": certificateDeleted,
  "resource.alert": (data, recent) => [raise(resourceProblem(data, recent))],
  "resource.recovery": ({ id, metric, reason }) => [
    clear({ source: "resource", event: `${metric}_threshold`, entity: containerEntity(id) }, RESOURCE_ENDS[reason]),
  ],
  "runtime.lost": (data, recent) => [data.lost ? raise(runtimeLost(data, recent)) : runtimeBack(data)],
  "agent.disconnected": (data) => (data.lost ? [raise(disconnected(data))] : []),
  "agent.connected": ({ agent_id }) => [seenWell("agent", "disconnected", hostOf(agent_id), "Its agent is connected again.")],
  "agent.revoked": hostGone,
  "agent.deleted": hostGone,
  "security.insights_changed": insightsChanged,
  "security.revoked": exposure,
  "security.posture_threshold": (data, recent) => [
    data.below
      ? raise(lowPosture(data, recent))
      : seenWell("security", "posture_threshold", hostOf(data.agent_id), "The score is back above its threshold."),
  ],
  "update.detected": available,
  "update.changed": available,
  "update.compared": (data) => [
    data.alerting
      ? raise(regression(data))
      : seenWell("update", "regression", containerEntity(data.id), "It no longer performs worse, or its image changed."),
  ],
  "swarm.alert": swarmAlert,
  "kubernetes.alert": kubernetesAlert,
  "webhook.disabled": webhookDisabled,
  "webhook.updated": webhookUpdated,
  "webhook.deleted": webhookDeleted,
};

export const REMOVED: Resolution = { by: "removal", reason: "The container was removed from its host, and not re-created." };
/** The problems of a container that end when it is removed. */
const OF_CONTAINERS = [
  ["container", "down"],
  ["container", "restart_loop"],
  ["container", "health_unhealthy"],
  ["resource", "cpu_threshold"],
  ["resource", "memory_threshold"],
  ["update", "available"],
  ["update", "regression"],
] as const;
const ENDPOINT_ENDS: Record<EventData["endpoint.recovery"]["reason"], Resolution> = {
  recovered: { by: "observation", reason: "Its checks succeed again." },
  paused: { by: "user", reason: "It was paused." },
  changed: { by: "user", reason: "Its configuration changed." },
  removed: { by: "removal", reason: "The endpoint or its label was removed." },
};
const RESOURCE_ENDS: Record<EventData["resource.recovery"]["reason"], Resolution> = {
  below_threshold: { by: "observation", reason: "Usage is back below the threshold." },
  threshold_changed: { by: "user", reason: "Its threshold was changed." },
  not_watched: { by: "removal", reason: "The container was removed or is now ignored." },
};

function downKey(id: number): AlertKey {
  return { source: "container", event: "down", entity: containerEntity(id) };
}

/** Why a container is no longer down. */
function downEnd({ state, stop_requested }: Pick<EventData["container.down"], "state" | "stop_requested">): Resolution {
  if (state === "running") return { by: "observation", reason: "The container is running again." };
  if (state === "completed") return { by: "observation", reason: "The container ran again and completed with exit code 0." };
  if (stop_requested) return { by: "user", reason: "The container was stopped by request." };
  if (state === "paused") return { by: "user", reason: "It was paused." };
  return NOT_ENABLED;
}

function endpointKey(id: number): AlertKey {
  return { source: "endpoint", event: "consecutive_failure", entity: endpointEntity(id) };
}

/** Problems of Kubernetes workloads are read from `kubernetes.alert`. */
function restartSignals(data: EventData["container.restart_alert"], recent: Recent): Signal[] {
  if (data.runtime === "kubernetes") return [];
  if (data.severity !== null) return [raise(restartLoop(data, data.severity, recent))];
  return [seenWell("container", "restart_loop", containerEntity(data.id), "No restarts in the last 10 minutes.")];
}

/** A container that does not run, or whose health check has no result yet, shows no health. */
function healthSignals(data: EventData["container.health_changed"], recent: Recent): Signal[] {
  if (data.runtime === "kubernetes") return [];
  if (data.health === "unhealthy") return [raise(unhealthy(data, recent))];
  const isWell = data.health === "healthy" || (data.health === null && data.state === "running");
  const reason = data.health === null ? "The health check was removed." : "The health check passes again.";
  return isWell ? [seenWell("container", "health_unhealthy", containerEntity(data.id), reason)] : [];
}

function runtimeBack({ agent_id }: { agent_id: string | null }): Signal {
  return seenWell("agent", "runtime_lost", hostOf(agent_id), "The container engine is reachable again.");
}

/** The problems that an event reports; most events report none. */
export function readEvent<Name extends EventName>({ type, data }: Event<Name>, recent: Recent): Signal[] {
  const reading: Reading<Name> | undefined = READINGS[type];
  return reading === undefined ? [] : reading(data, recent);
}

function restartLoop(data: EventData["container.restart_alert"], severity: Severity, recent: Recent): Problem {
  const { id, name, restarts, threshold, window_seconds } = data;
  return {
    ...about(data),
    source: "container",
    event: "restart_loop",
    entity: containerEntity(id),
    severity: severityOf(data.labels, severity),
    message: `${name} is crash-looping: ${restarts} restarts in ${lengthText(window_seconds * 1000)}.`,
    cause: recent.causeOf(data, data.timestamp),
    parents: [hostOf(data.agent_id)],
    details: { restarts, threshold, window_seconds, image: data.image },
  };
}

function down(data: EventData["container.down"], recent: Recent): Problem {
  const { id, state, exit_code, oom_killed, error_detail, since, image } = data;
  return {
    ...about(data),
    source: "container",
    event: "down",
    entity: containerEntity(id),
    severity: severityOf(data.labels, "critical"),
    message: `${data.name} is down.`,
    cause: recent.causeOf(data, data.timestamp),
    parents: [hostOf(data.agent_id)],
    details: { state, exit_code, oom_killed, error_detail, since, image },
  };
}

function unhealthy(data: EventData["container.health_changed"], recent: Recent): Problem {
  return {
    ...about(data),
    source: "container",
    event: "health_unhealthy",
    entity: containerEntity(data.id),
    severity: severityOf(data.labels, "warning"),
    message: `${data.name} is unhealthy: health check failing.`,
    cause: recent.causeOf(data, data.timestamp),
    parents: [containerEntity(data.id), hostOf(data.agent_id)],
    details: { state: data.state, previous_health: data.previous_health, image: data.image },
  };
}

function endpointFailure(data: EventData["endpoint.alert"], recent: Recent): Problem {
  const { id, agent_id, name, container_id, container_name, target, type, error, failure_class, http_status } = data;
  const why = error === null ? "" : `: ${error.replace(/\.$/, "")}`;
  const container = container_name === null ? null : recent.causeOf({ agent_id, name: container_name }, data.timestamp);
  return {
    ...about(data),
    source: "endpoint",
    event: "consecutive_failure",
    entity: endpointEntity(id),
    // Decided where the event is made: the label if it is set, else critical.
    severity: data.alert_severity,
    message: `${name} failed ${data.consecutive_failures === 1 ? "a check" : `${data.consecutive_failures} checks in a row`}${why}.`,
    cause: container === null ? null : `${container_name}: ${container}`,
    parents: container_id === null ? [] : [containerEntity(container_id), hostOf(agent_id)],
    details: { target, type, error, failure_class, http_status, failing_since: data.failing_since, container_id, container_name },
  };
}

function resourceProblem(data: EventData["resource.alert"], recent: Recent): Problem {
  const { id, metric, value, threshold, debounce_seconds } = data;
  const figure = value === null ? "more than" : `${Math.round(value)} %, above`;
  return {
    ...about(data),
    source: "resource",
    event: `${metric}_threshold`,
    entity: containerEntity(id),
    severity: severityOf(data.labels, "warning"),
    message: `${metric === "cpu" ? "CPU" : "Memory"} of ${data.name}: ${figure} ${threshold} % for ${debounce_seconds} s.`,
    cause: recent.causeOf(data, data.timestamp),
    parents: [containerEntity(id), hostOf(data.agent_id)],
    details: { metric, value, threshold, debounce_seconds, image: data.image },
  };
}

/** Its deliveries failed again and again, so the subscription was disabled. Source: contract, sections 7 and 19. */
function webhookDisabled(data: EventData["webhook.disabled"]): Signal[] {
  const { id, name, reason, failure_count, event_types } = data;
  const problem: Problem = {
    ...about({ ...data, alert_tags: [] }),
    ...keyOf(id),
    severity: "warning",
    message: `The webhook subscription ${name} was disabled after repeated failures. Nothing is sent until it is enabled again.`,
    cause: reason === "" ? null : reason,
    parents: [],
    details: { failure_count, event_types },
  };
  return [raise(problem)];
}

function webhookUpdated({ id, active }: EventData["webhook.updated"]): Signal[] {
  return active ? [clear(keyOf(id), { by: "user", reason: "It was enabled again." })] : [];
}

function webhookDeleted({ id }: EventData["webhook.deleted"]): Signal[] {
  return [clear(keyOf(id), { by: "removal", reason: "The subscription was deleted." })];
}

function keyOf(id: number): AlertKey {
  return { source: "webhook", event: "disabled", entity: { type: "webhook", id: String(id) } };
}
