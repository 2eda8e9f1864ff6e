import type { CertificateAlert, Event, EventData, EventName, HeartbeatReason } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import type { Entity, Problem, Severity } from "../vocabulary.ts";
import { containerEntity, endpointEntity, hostOf } from "./outages.ts";
import { disconnected, hostGone, runtimeLost } from "./host-sources.ts";
import { agoText, type Recent } from "./recent.ts";
import { exposure, insightsChanged, lowPosture } from "./security-sources.ts";
import { about, clear, raise, type Signal, severityOf } from "./signals.ts";
import { available, regression } from "./update-sources.ts";

type Reading<Name extends EventName> = (data: EventData[Name], recent: Recent) => Signal[];

/** Which events say what of problems. A new source is one line more. Source: specification, Alert. */
const READINGS: { readonly [Name in EventName]?: Reading<Name> } = {
  "container.restart_alert": (data, recent) => [
    data.severity === null ? clear("container", "restart_loop", containerEntity(data.id)) : raise(restartLoop(data, data.severity, recent)),
  ],
  "container.health_changed": (data, recent) => [
    data.health === "unhealthy" ? raise(unhealthy(data, recent)) : clear("container", "health_unhealthy", containerEntity(data.id)),
  ],
  "container.state_changed": (data) =>
    data.state === "running" || data.state === "paused" ? [] : [clear("container", "health_unhealthy", containerEntity(data.id))],
  "container.down": (data, recent) => [data.down ? raise(down(data, recent)) : clear("container", "down", containerEntity(data.id))],
  "container.archived": ({ id }) => [
    clear("container", "down", containerEntity(id)),
    clear("container", "restart_loop", containerEntity(id)),
    clear("container", "health_unhealthy", containerEntity(id)),
    clear("resource", "cpu_threshold", containerEntity(id)),
    clear("resource", "memory_threshold", containerEntity(id)),
    clear("update", "available", containerEntity(id)),
    clear("update", "regression", containerEntity(id)),
  ],
  "endpoint.alert": (data, recent) => [raise(endpointFailure(data, recent))],
  "endpoint.recovery": ({ id }) => [clear("endpoint", "consecutive_failure", endpointEntity(id))],
  "endpoint.removed": ({ id }) => [clear("endpoint", "consecutive_failure", endpointEntity(id))],
  "heartbeat.pinged": heartbeatSignals,
  "heartbeat.deadline_missed": heartbeatSignals,
  "heartbeat.recovered": heartbeatSignals,
  "heartbeat.updated": heartbeatSignals,
  "heartbeat.deleted": ({ id }) => [clear("heartbeat", "deadline_missed", heartbeatEntity(id))],
  "certificate.alert": (data) => [raise(certificateProblem(data))],
  "certificate.recovery": ({ id, alert }) => [clear("certificate", alert, certificateEntity(id))],
  "certificate.deleted": ({ id }) =>
    (["expiring", "expired", "chain_invalid"] as const).map((alert) => clear("certificate", alert, certificateEntity(id))),
  "resource.alert": (data, recent) => [raise(resourceProblem(data, recent))],
  "runtime.lost": (data, recent) => [data.lost ? raise(runtimeLost(data, recent)) : clear("agent", "runtime_lost", hostOf(data.agent_id))],
  // Who was lost before a start of ours was not told of as lost since.
  "runtime.status_changed": ({ agent_id, connected }) => (connected ? [clear("agent", "runtime_lost", hostOf(agent_id))] : []),
  "agent.disconnected": (data) => (data.lost ? [raise(disconnected(data))] : []),
  "agent.connected": ({ agent_id }) => [clear("agent", "disconnected", hostOf(agent_id))],
  "agent.revoked": hostGone,
  "agent.deleted": hostGone,
  "security.insights_changed": insightsChanged,
  "security.revoked": exposure,
  "security.posture_threshold": (data, recent) => [
    data.below ? raise(lowPosture(data, recent)) : clear("security", "posture_threshold", hostOf(data.agent_id)),
  ],
  "update.detected": available,
  "update.changed": available,
  "update.compared": (data) => [data.alerting ? raise(regression(data)) : clear("update", "regression", containerEntity(data.id))],
  "resource.recovery": ({ id, metric }) => [clear("resource", `${metric}_threshold`, containerEntity(id))],
};

/** What an event says of problems; nothing of most. */
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
    message: `${name} restarts again and again: ${restarts} times within ${agoText(window_seconds * 1000)}.`,
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
    message: `${data.name} is unhealthy: its health check fails.`,
    cause: recent.causeOf(data, data.timestamp),
    parents: [hostOf(data.agent_id)],
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
    // Settled by who made it: the label where it is set, else critical.
    severity: data.alert_severity,
    message: `${name} failed ${data.consecutive_failures === 1 ? "a check" : `${data.consecutive_failures} checks in a row`}${why}.`,
    cause: container === null ? null : `${container_name}: ${container}`,
    parents: container_id === null ? [] : [containerEntity(container_id), hostOf(agent_id)],
    details: { target, type, error, failure_class, http_status, failing_since: data.failing_since, container_id, container_name },
  };
}

function heartbeatSignals(data: EventData["heartbeat.created"]): Signal[] {
  if (data.reason === null) return [clear("heartbeat", "deadline_missed", heartbeatEntity(data.id))];
  const { id, reason, last_exit_code, last_ping_at, failing_since, current_run_started_at } = data;
  return [
    raise({
      ...about(data),
      source: "heartbeat",
      event: "deadline_missed",
      entity: heartbeatEntity(id),
      severity: "critical",
      message: `${data.name} ${HEARTBEAT_WORDS[reason](data)}.`,
      cause: last_ping_at === null ? "it never reported" : reportedBefore(data.timestamp, last_ping_at),
      parents: [],
      details: { reason, exit_code: reason === "exit_code" ? last_exit_code : null, last_ping_at, failing_since, current_run_started_at },
    }),
  ];
}

const HEARTBEAT_WORDS: Record<HeartbeatReason, (data: EventData["heartbeat.created"]) => string> = {
  deadline: () => "did not report in time",
  exit_code: ({ last_exit_code }) => `ended with exit code ${last_exit_code ?? "unknown"}`,
  fail: () => "reported a failure",
  timeout: () => "did not end in its time",
};

function certificateProblem(data: EventData["certificate.alert"]): Problem {
  const { id, agent_id, name, alert, domain, port, expires_at, days_until_expiry, threshold_days, endpoint_id, container_id } = data;
  return {
    ...about(data),
    source: "certificate",
    event: alert,
    entity: certificateEntity(id),
    // Settled by who made it: the label where it is set, else critical.
    severity: data.alert_severity,
    message: `The certificate of ${name} ${CERTIFICATE_WORDS[alert](data)}.`,
    cause: alert === "chain_invalid" || data.message === null ? null : cleanName(data.message, 500),
    parents: [
      ...(endpoint_id === null ? [] : [endpointEntity(endpoint_id)]),
      ...(container_id === null ? [] : [containerEntity(container_id), hostOf(agent_id)]),
    ],
    details: { domain, port, expires_at, days_until_expiry, threshold_days, problem: data.message },
  };
}

const CERTIFICATE_WORDS: Record<CertificateAlert, (data: EventData["certificate.alert"]) => string> = {
  expiring: ({ days_until_expiry, expires_at }) => `expires in ${days_until_expiry ?? "?"} days${onDay(expires_at)}`,
  expired: ({ expires_at }) => `is expired${onDay(expires_at)}`,
  chain_invalid: ({ message }) => `is not trusted${message === null ? "" : `: ${message.replace(/\.$/, "")}`}`,
};

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

function heartbeatEntity(id: number): Entity {
  return { type: "heartbeat", id: String(id) };
}

function certificateEntity(id: number): Entity {
  return { type: "certificate", id: String(id) };
}

function onDay(expiresAt: string | null): string {
  return expiresAt === null ? "" : `, on ${expiresAt.slice(0, 10)}`;
}

/** Nothing of a report that is the failure itself. */
function reportedBefore(at: string, lastPingAt: string): string | null {
  const agoMs = Date.parse(at) - Date.parse(lastPingAt);
  return agoMs < 1000 ? null : `last report ${agoText(agoMs)} before`;
}
