import type { Event, EventData } from "../../events.ts";
import type { Alert } from "../vocabulary.ts";
import type { MaintenanceRecord, PreviewedAlert, SilenceRecord } from "./answers.ts";
import { type MaintenanceWindow, windowStatus } from "./maintenance-window.ts";
import { matchersRecord, type Silence, silenceStatus } from "./silence.ts";

/** A silence in its JSON form. */
export function silenceRecord(silence: Silence, now: Date): SilenceRecord {
  return {
    id: silence.id,
    reason: silence.reason,
    starts_at: silence.startsAt.toISOString(),
    ends_at: silence.endsAt.toISOString(),
    matchers: matchersRecord(silence.matchers),
    created_by: silence.createdBy,
    created_at: silence.createdAt.toISOString(),
    cancelled_at: silence.cancelledAt === null ? null : silence.cancelledAt.toISOString(),
    status: silenceStatus(silence, now),
  };
}

export function silenceEvent(what: "created" | "cancelled" | "expired", silence: Silence, now: Date): Event {
  const { created_at: _, matchers, ...record } = silenceRecord(silence, now);
  const data: EventData["silence.created"] = {
    ...record,
    agent_id: null,
    matchers: Object.fromEntries(Object.entries(matchers).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    timestamp: now.toISOString(),
  };
  return { type: `silence.${what}`, data };
}

/** A maintenance window in its JSON form. */
export function maintenanceRecord(window: MaintenanceWindow, now: Date): MaintenanceRecord {
  return {
    id: window.id,
    title: window.title,
    description: window.description,
    starts_at: window.startsAt.toISOString(),
    ends_at: window.endsAt.toISOString(),
    components: [...window.components],
    entities: window.entities.map(({ type, id }) => ({ entity_type: type, entity_id: id })),
    status: windowStatus(window, now),
    created_at: window.createdAt.toISOString(),
    updated_at: window.updatedAt.toISOString(),
  };
}

export function maintenanceEvent(
  what: "created" | "updated" | "deleted" | "started" | "ended",
  window: MaintenanceWindow,
  now: Date,
): Event {
  const { created_at: _, updated_at: __, ...record } = maintenanceRecord(window, now);
  return { type: `maintenance.${what}`, data: { ...record, agent_id: null, timestamp: now.toISOString() } };
}

/** The fields of an alert that the preview of a silence shows. */
export function previewedAlert(alert: Alert): PreviewedAlert {
  return {
    id: alert.id,
    agent_id: alert.agentId,
    source: alert.source,
    event: alert.event,
    severity: alert.severity,
    entity_type: alert.entity.type,
    entity_id: alert.entity.id,
    entity_name: alert.entityName,
    message: alert.message,
    fired_at: alert.firedAt.toISOString(),
  };
}
