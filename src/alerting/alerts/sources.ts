import type { CertificateAlert, Event, EventData, EventName, HeartbeatReason, InsightSeverity } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import { type AlertKey, type AlertSource, type Entity, type Problem, SEVERITIES, type Severity } from "../vocabulary.ts";
import { containerEntity, endpointEntity, hostOf } from "./outages.ts";
import { agoText, type Recent } from "./recent.ts";

/** What an event says of a problem: it is there, or it is over. */
export type Signal = { kind: "raise"; problem: Problem } | { kind: "clear"; key: AlertKey };

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
    clear("security", "dangerous_configuration", containerEntity(id)),
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
  "runtime.lost": (data) => [data.lost ? raise(runtimeLost(data)) : clear("agent", "runtime_lost", hostOf(data.agent_id))],
  "security.insights_changed": (data) => {
    const over = clear("security", "dangerous_configuration", containerEntity(data.id));
    if (data.findings.length === 0) return [over];
    return [...(data.renewed ? [over] : []), ...exposure(data)];
  },
  "security.revoked": exposure,
  "resource.recovery": ({ id, metric }) => [clear("resource", `${metric}_threshold`, containerEntity(id))],
};

/** What an event says of problems; nothing of most. */
export function readEvent<Name extends EventName>({ type, data }: Event<Name>, recent: Recent): Signal[] {
  const reading: Reading<Name> | undefined = READINGS[type];
  return reading === undefined ? [] : reading(data, recent);
}

const SEVERITY_LABEL = "service.alert.severity";

/** What the container's label says, else the default: the settings of a container have one of their own, which is not asked for here. */
export function severityOf(labels: Readonly<Record<string, string>>, byDefault: Severity): Severity {
  const label = labels[SEVERITY_LABEL]?.trim().toLowerCase();
  return SEVERITIES.find((severity) => severity === label) ?? byDefault;
}

function raise(problem: Problem): Signal {
  return { kind: "raise", problem: { ...problem, message: cleanName(problem.message, 1000) } };
}

function clear(source: AlertSource, event: string, entity: Entity): Signal {
  return { kind: "clear", key: { source, event, entity } };
}

interface About {
  agent_id: string | null;
  name: string;
  labels?: Record<string, string>;
  alert_channels?: string[];
  alert_tags: string[];
}

/** What is the same for all sources. */
function about({
  agent_id,
  name,
  labels,
  alert_channels,
  alert_tags,
}: About): Pick<Problem, "agentId" | "entityName" | "labels" | "channels" | "tags"> {
  return { agentId: agent_id, entityName: name, labels: labels ?? {}, channels: alert_channels ?? [], tags: alert_tags };
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

function runtimeLost({ agent_id, runtime, error, since }: EventData["runtime.lost"]): Problem {
  return {
    ...about({ agent_id, name: agent_id ?? "This host", alert_tags: [] }),
    source: "agent",
    event: "runtime_lost",
    entity: hostOf(agent_id),
    severity: "critical",
    message: `${runtime === "docker" ? "Docker" : runtime} does not answer: its containers are not watched.`,
    cause: error,
    parents: [],
    details: { runtime, error, since },
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

/** Nothing when all that is found is acknowledged: an alert that is active stays so, and none begins. */
function exposure(data: EventData["security.insights_changed" | "security.revoked"]): Signal[] {
  const { id, agent_id, severity, message, findings, image } = data;
  if (severity === null) return [];
  return [
    raise({
      ...about(data),
      source: "security",
      event: "dangerous_configuration",
      entity: containerEntity(id),
      // Of the worst finding, whatever the label says: that is for how urgent its failures are.
      severity: EXPOSURE_SEVERITY[severity],
      message: message ?? `${data.name} is exposed.`,
      cause: null,
      parents: [hostOf(agent_id)],
      details: {
        findings: findings.map(({ type, key }) => `${type} ${key}`),
        unacknowledged: findings.filter(({ acknowledged }) => !acknowledged).length,
        image,
      },
    }),
  ];
}

const EXPOSURE_SEVERITY: Record<InsightSeverity, Severity> = { critical: "critical", high: "warning", medium: "info" };

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
