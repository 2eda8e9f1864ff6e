import type { IncidentNotice } from "../seams.ts";
import type { IncidentSeverity, IncidentStatus } from "../vocabulary.ts";

/** What a mail tells: words that everybody may read, as they were when it happened. Times as RFC 3339, since it is kept as JSON. */
export type Notice = IncidentNews | WorkNews;

export interface IncidentNews {
  about: "incident";
  id: number;
  kind: "incident_opened" | "incident_updated" | "incident_resolved";
  title: string;
  severity: IncidentSeverity;
  status: IncidentStatus;
  message: string;
  /** Names of those on the page. */
  components: readonly string[];
  at: string;
}

export interface WorkNews {
  about: "maintenance";
  id: number;
  kind: WorkKind;
  title: string;
  description: string;
  startsAt: string;
  endsAt: string;
  components: readonly string[];
}

export type WorkKind =
  | "maintenance_planned"
  | "maintenance_rescheduled"
  | "maintenance_started"
  | "maintenance_ended"
  | "maintenance_cancelled";

/** A notice to be told, and to whom. */
export interface NewNotice {
  /** What is told once has one key. */
  key: string;
  notice: Notice;
  /** Of which it is, by id, hidden ones too; empty: it concerns all. */
  components: readonly number[];
  at: Date;
}

/** What is told of an incident's update: once, however often it is asked for. `names` are of components on the page. */
export function incidentNotice({ kind, incident, update }: IncidentNotice, names: readonly string[], at: Date): NewNotice {
  return {
    key: `incident:${incident.id}:${update.id}`,
    notice: {
      about: "incident",
      id: incident.id,
      kind,
      title: incident.title,
      severity: incident.severity,
      status: update.status,
      message: update.message,
      components: names,
      at: update.at.toISOString(),
    },
    components: incident.components,
    at,
  };
}
