import type { PublicIncidentRecord, PublicMaintenanceRecord, PublicStatus } from "./api.ts";
import type { Projection, PublicIncident, PublicWork } from "./projection.ts";
import { sentenceOf } from "./words.ts";

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

export function incidentRecord(incident: PublicIncident): PublicIncidentRecord {
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

export function workRecord({ id, title, description, startsAt, endsAt, active, components }: PublicWork): PublicMaintenanceRecord {
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
