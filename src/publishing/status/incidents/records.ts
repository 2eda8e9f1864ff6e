import type { Event, EventData } from "../../../events.ts";
import { impactOf, type Incident } from "../vocabulary.ts";
import type { IncidentRecord } from "./answers.ts";

/** An incident as it goes over the wire. */
export function incidentRecord(incident: Incident): IncidentRecord {
  return {
    id: incident.id,
    title: incident.title,
    severity: incident.severity,
    status: incident.status,
    components: [...incident.components],
    impacts: incident.components.map((id) => ({ component_id: id, status: impactOf(incident, id) })),
    automatic: incident.automatic,
    created_at: incident.createdAt.toISOString(),
    updated_at: incident.updatedAt.toISOString(),
    resolved_at: incident.resolvedAt?.toISOString() ?? null,
    updates: incident.updates.map(({ id, status, message, at, editedAt }) => ({
      id,
      status,
      message,
      created_at: at.toISOString(),
      edited_at: editedAt?.toISOString() ?? null,
    })),
  };
}

/** The events to publish of a change; `hasUpdate`: an update was added. */
export function eventsOf(before: Incident | undefined, after: Incident, hasUpdate: boolean, now: Date): Event[] {
  const data = incidentData(after, now);
  const message = after.updates.at(-1)?.message ?? "";
  const isOver = after.resolvedAt !== null && (before === undefined || before.resolvedAt === null);
  const events: Event[] = [];
  if (before === undefined) events.push({ type: "incident.created", data: { ...data, message } });
  else if (!hasUpdate || !isOver) events.push({ type: "incident.updated", data: { ...data, message: hasUpdate ? message : null } });
  if (isOver) events.push({ type: "incident.resolved", data: { ...data, message } });
  return events;
}

export function deletedEvent(incident: Incident, now: Date): Event {
  return { type: "incident.deleted", data: incidentData(incident, now) };
}

function incidentData(incident: Incident, now: Date): EventData["incident.deleted"] {
  const { updates: _, updated_at: __, impacts: ___, ...record } = incidentRecord(incident);
  return { ...record, agent_id: null, name: incident.title, timestamp: now.toISOString() };
}
