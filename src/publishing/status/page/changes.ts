import type { SseEvent } from "../../../http/sse.ts";
import type { ComponentStatus } from "../vocabulary.ts";
import type { PublicIncidentRecord, PublicMaintenanceRecord, PublicStatus } from "./api.ts";
import { componentsOf, type Projection, type PublicIncident, type PublicWork } from "./projection.ts";
import { sentenceOf, shownStatus, STATUS_WORDS } from "./words.ts";

/** How many changes are announced one by one. */
const MAX_ANNOUNCED = 3;

/** What the stream sends of a change of the page, from the published alone. Source: contract, section 8. */
export function eventsBetween(before: Projection, after: Projection): SseEvent[] {
  return [
    ...statusEvents(before, after),
    ...componentEvents(before, after),
    ...incidentEvents(before, after),
    ...workEvents(before, after),
  ];
}

/** The same for a screen reader. Empty when there is nothing to announce. */
export function announcementOf(events: readonly SseEvent[], after: Projection): string {
  const sentences = events.flatMap(({ event, data }) => {
    const {
      name,
      title,
      status,
      observed = true,
    } = data as { name?: string; title?: string; status?: ComponentStatus; observed?: boolean };
    if (event === "component.changed" && status !== undefined) return [`${name}: ${STATUS_WORDS[shownStatus({ status, observed })]}.`];
    if (event === "incident.created") return [`New incident: ${title}.`];
    if (event === "incident.updated") return [`Incident updated: ${title}.`];
    if (event === "incident.resolved") return [`Incident resolved: ${title}.`];
    if (event === "maintenance.started") return [`Maintenance began: ${title}.`];
    if (event === "maintenance.ended") return [`Maintenance is over: ${title}.`];
    return [];
  });
  return sentences.length > MAX_ANNOUNCED ? sentenceOf(after).message : sentences.join(" ");
}

function statusEvents(before: Projection, after: Projection): SseEvent[] {
  if (before.status === after.status) return [];
  return [{ event: "status.changed", data: { status: after.status, previous_status: before.status, message: sentenceOf(after).message } }];
}

function componentEvents(before: Projection, after: Projection): SseEvent[] {
  const earlier = new Map(componentsOf(before).map((component) => [component.id, component]));
  return componentsOf(after).flatMap((component) => {
    const { id, name, status, observed, since } = component;
    const previous = earlier.get(id);
    if (previous === undefined || shownStatus(previous) === shownStatus(component)) return [];
    const data = { id, name, status, observed, previous_status: previous.status, since: since.toISOString() };
    return [{ event: "component.changed", data }];
  });
}

function incidentEvents(before: Projection, after: Projection): SseEvent[] {
  const earlier = new Map(before.incidents.map((incident) => [incident.id, incident]));
  return after.incidents.flatMap((incident) => {
    const previous = earlier.get(incident.id);
    const data = incidentRecord(incident);
    const isOver = incident.resolvedAt !== null;
    if (previous === undefined) return isOver ? [] : [{ event: "incident.created", data }];
    if (isOver && previous.resolvedAt === null) return [{ event: "incident.resolved", data }];
    return JSON.stringify(incidentRecord(previous)) === JSON.stringify(data) ? [] : [{ event: "incident.updated", data }];
  });
}

function workEvents(before: Projection, after: Projection): SseEvent[] {
  const earlier = new Map(before.works.map((work) => [work.id, work]));
  const later = new Map(after.works.map((work) => [work.id, work]));
  const started = after.works.filter(({ id, active }) => active && earlier.get(id)?.active !== true);
  // A window that was deleted while it ran has ended too.
  const ended = before.works.filter(({ id, active }) => active && later.get(id)?.active !== true);
  return [
    ...started.map((work) => ({ event: "maintenance.started", data: workRecord(work) })),
    ...ended.map((work) => ({ event: "maintenance.ended", data: workRecord({ ...(later.get(work.id) ?? work), active: false }) })),
  ];
}

/** The answer of /status/api. */
export function statusRecord(projection: Projection, updatedAt: Date): PublicStatus {
  return {
    status: projection.status,
    observed: projection.observed,
    message: sentenceOf(projection).message,
    updated_at: updatedAt.toISOString(),
    title: projection.title,
    groups: projection.groups.map(({ id, name, status, observed, components }) => ({
      id,
      name,
      status,
      observed,
      components: components.map((component) => ({
        id: component.id,
        name: component.name,
        description: component.description,
        status: component.status,
        observed: component.observed,
        since: component.since.toISOString(),
        tracked_since: component.trackedSince.toISOString(),
        uptime: percent(component.uptime),
        uptime_90d: component.days.map((day) => percent(day.uptime)),
      })),
    })),
    incidents: projection.incidents.map(incidentRecord),
    maintenance: projection.works.filter(({ isOver }) => !isOver).map(workRecord),
  };
}

function incidentRecord(incident: PublicIncident): PublicIncidentRecord {
  return {
    id: incident.id,
    title: incident.title,
    severity: incident.severity,
    status: incident.status,
    components: [...incident.components],
    created_at: incident.createdAt.toISOString(),
    updated_at: incident.updatedAt.toISOString(),
    resolved_at: incident.resolvedAt?.toISOString() ?? null,
    updates: incident.updates.map(({ id, status, message, at }) => ({ id, status, message, created_at: at.toISOString() })),
  };
}

function workRecord({ id, title, description, startsAt, endsAt, active, components }: PublicWork): PublicMaintenanceRecord {
  return {
    id,
    title,
    description,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    active,
    components: [...components],
  };
}

/** Rounded down to hundredths, so that 100 means all of it. */
function percent(share: number | null): number | null {
  return share === null ? null : Math.floor(share * 10_000 + 1e-6) / 100;
}
