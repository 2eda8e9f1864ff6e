import type { AlertData } from "../../events.ts";
import type { Alert } from "../vocabulary.ts";
import type { AlertRecord } from "./api.ts";
import type { ShownAlert } from "./answers.ts";

/** An alert as it goes over the wire. */
export function alertRecord(alert: Alert, baseUrl: string): AlertRecord {
  return {
    id: alert.id,
    agent_id: alert.agentId,
    source: alert.source,
    event: alert.event,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    cause: alert.cause,
    entity_type: alert.entity.type,
    entity_id: alert.entity.id,
    entity_name: alert.entityName,
    labels: { ...alert.labels },
    tags: [...alert.tags],
    details: { ...alert.details },
    suppressed_by: alert.suppressedBy,
    fired_at: alert.firedAt.toISOString(),
    last_raised_at: alert.lastRaisedAt.toISOString(),
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: alert.acknowledgedBy,
    acknowledged_note: alert.acknowledgedNote,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    resolved_by: alert.resolvedBy,
    resolution: alert.resolution,
    url: `${baseUrl}/alerts/${alert.id}`,
  };
}

interface Present {
  baseUrl: string;
  unseenSince: Date | undefined;
  silencedUntil: Date | undefined;
}

/** The same as it is shown. */
export function alertAsShown(alert: Alert, { baseUrl, unseenSince, silencedUntil }: Present): ShownAlert {
  const isActive = alert.status === "active";
  return {
    ...alertRecord(alert, baseUrl),
    not_seen_since: (isActive ? unseenSince?.toISOString() : undefined) ?? null,
    silenced_until: (isActive ? silencedUntil?.toISOString() : undefined) ?? null,
  };
}

/** What events about an alert say. */
export function alertData(alert: Alert, baseUrl: string, at: Date): AlertData {
  const { details: _details, ...record } = alertRecord(alert, baseUrl);
  return { ...record, name: alert.entityName, timestamp: at.toISOString() };
}
