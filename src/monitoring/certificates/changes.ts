import type { CertificateStatus, Event } from "../../events.ts";
import { daysUntil, type SavedCertificate } from "./certificate.ts";
import { type CertificateChange, changesBetween, standingAlerts } from "./verdict.ts";

/** The events of a check, or of changed settings, in order. */
export function certificateEvents(
  previous: SavedCertificate,
  next: SavedCertificate,
  changes: readonly CertificateChange[],
  at: Date,
): Event[] {
  const about = aboutCertificate(next, previous.state.status, at);
  return [
    ...changes.map((change): Event =>
      change.what === "alert"
        ? { type: "certificate.alert", data: { ...about, alert: change.alert, threshold_days: change.thresholdDays } }
        : { type: "certificate.recovery", data: { ...about, alert: change.alert, reason: change.reason } },
    ),
    { type: "certificate.updated", data: about },
  ];
}

/** The events to publish again for a certificate that has a problem now. */
export function problemEvents(certificate: SavedCertificate, at: Date): Event[] {
  const { status, raised } = certificate.state;
  return standingAlerts(certificate).map((alert) => ({
    type: "certificate.alert",
    data: { ...aboutCertificate(certificate, status, at), alert, threshold_days: alert === "expiring" ? raised.announcedDays : null },
  }));
}

export function createdEvent(certificate: SavedCertificate, at: Date): Event {
  return { type: "certificate.created", data: aboutCertificate(certificate, certificate.state.status, at) };
}

/** The events of one that was set up with others; `saved` is `previous` where nothing changed. */
export function savedEvents(previous: SavedCertificate | undefined, saved: SavedCertificate | undefined, at: Date): Event[] {
  if (saved === undefined || saved === previous) return [];
  if (previous === undefined) return [createdEvent(saved, at)];
  return certificateEvents(previous, saved, changesBetween(previous, saved), at);
}

/** The events of a certificate that is no longer watched. */
export function deletedEvents(certificate: SavedCertificate, at: Date): Event[] {
  const { state } = certificate;
  const about = aboutCertificate(certificate, state.status, at);
  return [
    ...standingAlerts(certificate).map((alert): Event => ({ type: "certificate.recovery", data: { ...about, alert, reason: "removed" } })),
    { type: "certificate.deleted", data: about },
  ];
}

/** What every event about a certificate says. */
function aboutCertificate(certificate: SavedCertificate, previousStatus: CertificateStatus, at: Date) {
  const { id, agentId, domain, port, serverName, source, endpointId, container, alerts, state } = certificate;
  return {
    id,
    agent_id: agentId,
    name: nameOf(certificate),
    domain,
    port,
    server_name: serverName,
    source,
    endpoint_id: endpointId,
    container_id: container?.id ?? null,
    status: state.status,
    previous_status: previousStatus,
    message: state.message,
    expires_at: state.leaf?.expiresAt.toISOString() ?? null,
    days_until_expiry: state.leaf === null ? null : daysUntil(state.leaf.expiresAt, at),
    labels: { ...container?.labels },
    alert_severity: alerts.severity,
    alert_channels: [...alerts.channels],
    alert_tags: [...alerts.tags],
    timestamp: at.toISOString(),
  };
}

/** `example.com`, with a port that is not the usual one, and the name it is asked for when that is another. */
export function nameOf({ domain, port, serverName }: Pick<SavedCertificate, "domain" | "port" | "serverName">): string {
  const host = domain.includes(":") ? `[${domain}]` : domain;
  return `${host}${port === 443 ? "" : `:${port}`}${serverName === domain ? "" : ` (${serverName})`}`;
}
