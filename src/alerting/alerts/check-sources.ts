import type { CertificateAlert, EventData, HeartbeatReason } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import type { Entity, Problem, AlertKey, Resolution } from "../vocabulary.ts";
import { utcText } from "../../contract/time.ts";
import { about, clear, seenWell, type Signal, severityOf, raise, containerEntity, endpointEntity, hostOf } from "./signals.ts";

export function certificateProblem(data: EventData["certificate.alert"]): Problem {
  const { id, agent_id, name, alert, domain, port, expires_at, days_until_expiry, threshold_days, endpoint_id, container_id } = data;
  return {
    ...about(data),
    source: "certificate",
    event: alert,
    entity: certificateEntity(id),
    // Decided where the event is made: the label if it is set, else critical.
    severity: alert === "unreachable" ? severityOf(data.labels, "warning") : data.alert_severity,
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
  unreachable: () => "has been unreachable for 10 minutes",
  chain_invalid: ({ message }) => `is not trusted${message === null ? "" : `: ${message.replace(/\.$/, "")}`}`,
};

export function certificateRecovery({ id, alert, reason }: EventData["certificate.recovery"]): Signal[] {
  if (reason === "removed") return [certificateGone(id, alert)];
  if (alert === "unreachable" && reason === "changed")
    return [clear({ source: "certificate", event: alert, entity: certificateEntity(id) }, CHANGED)];
  const why = alert === "unreachable" ? "The host is reachable again." : "The certificate was fixed.";
  return [seenWell("certificate", alert, certificateEntity(id), why)];
}

/** Another server is watched, or an endpoint that leads to it has its own alert. */
const CHANGED: Resolution = { by: "user", reason: "Its configuration changed." };

export function certificateDeleted({ id }: EventData["certificate.deleted"]): Signal[] {
  return (["expiring", "expired", "chain_invalid", "unreachable"] as const).map((event) => certificateGone(id, event));
}

function certificateGone(id: number, event: CertificateAlert): Signal {
  return clear({ source: "certificate", event, entity: certificateEntity(id) }, { by: "removal", reason: "Monitoring was removed." });
}

function certificateEntity(id: number): Entity {
  return { type: "certificate", id: String(id) };
}

function onDay(expiresAt: string | null): string {
  return expiresAt === null ? "" : `, on ${expiresAt.slice(0, 10)}`;
}

export function heartbeatSignals(data: EventData["heartbeat.created"]): Signal[] {
  if (data.reason === null) {
    return [
      clear(
        keyOf(data.id),
        data.status === "paused" ? { by: "user", reason: "It was paused." } : { by: "observation", reason: "It reported again." },
      ),
    ];
  }
  const { id, reason, last_exit_code, last_ping_at, failing_since, current_run_started_at } = data;
  return [
    raise({
      ...about(data),
      ...keyOf(id),
      severity: "critical",
      message: `${data.name} ${HEARTBEAT_WORDS[reason](data)}.`,
      cause: last_ping_at === null ? "no report yet" : reportedBefore(data.timestamp, last_ping_at),
      parents: [],
      details: { reason, exit_code: reason === "exit_code" ? last_exit_code : null, last_ping_at, failing_since, current_run_started_at },
    }),
  ];
}

export function heartbeatDeleted({ id }: EventData["heartbeat.deleted"]): Signal[] {
  return [clear(keyOf(id), { by: "removal", reason: "The heartbeat was deleted." })];
}

function keyOf(id: number): AlertKey {
  return { source: "heartbeat", event: "deadline_missed", entity: { type: "heartbeat", id: String(id) } };
}

const HEARTBEAT_WORDS: Record<HeartbeatReason, (data: EventData["heartbeat.created"]) => string> = {
  deadline: () => "did not report in time",
  exit_code: ({ last_exit_code }) => `ended with exit code ${last_exit_code ?? "unknown"}`,
  fail: () => "reported a failure",
  timeout: () => "exceeded its max runtime",
};

/** The time of the last report; null when that report is the failure itself. */
function reportedBefore(at: string, lastPingAt: string): string | null {
  const reportedMs = Date.parse(lastPingAt);
  return Date.parse(at) - reportedMs < 1000 ? null : `last report at ${utcText(reportedMs)}`;
}
