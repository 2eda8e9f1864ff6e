import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { IncidentNotice } from "../seams.ts";
import type { IncidentSeverity, IncidentStatus } from "../vocabulary.ts";
import { NEWS_MS } from "./subscriber.ts";

/** The contents of a mail: words that everybody may read, as they were when it happened. Times as RFC 3339, since it is kept as JSON. */
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

/** A notice to be sent, and to whom. */
export interface NewNotice {
  /** What is sent once has one key. */
  key: string;
  notice: Notice;
  /** Of which it is, by id, hidden ones too; empty: it concerns all. */
  components: readonly number[];
  at: Date;
}

/** What the keys of all notices of an incident begin with. */
export function incidentKey(incidentId: number): string {
  return `incident:${incidentId}:`;
}

/** The notice of an incident's update: sent once, however often it is asked for. `names` are of components on the page. */
export function incidentNotice({ kind, incident, update }: IncidentNotice, names: readonly string[], at: Date): NewNotice {
  return {
    key: `${incidentKey(incident.id)}${update.id}`,
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

export type WorkStatus = MaintenanceRecord["status"];

/** A maintenance window of components that are on the page. */
export interface Work {
  id: number;
  status: WorkStatus;
  title: string;
  description: string;
  startsAt: Date;
  endsAt: Date;
  components: readonly number[];
  updatedAt: Date;
}

/** What was last announced of it. */
export interface AnnouncedWork {
  id: number;
  status: WorkStatus;
  title: string;
  startsAt: Date;
  endsAt: Date;
  components: readonly number[];
  version: number;
}

interface WorkStep {
  /** null: it is too late to announce it. */
  kind: WorkKind | null;
  next: AnnouncedWork;
}

/** New times are announced when they have not changed for so long: somebody may still be moving them. */
const SETTLED_MS = MINUTE_MS;

/** What is to be announced of a window now; `work` is undefined when it was deleted. */
export function nextStep(announced: AnnouncedWork | undefined, work: Work | undefined, now: Date): WorkStep | undefined {
  if (work === undefined) return announced === undefined ? undefined : afterDeletion(announced, now);
  const step = (kind: WorkKind): WorkStep => {
    const { id, status, title, startsAt, endsAt, components } = work;
    const isStale = kind === "maintenance_ended" && isOld(endsAt, now);
    return {
      kind: isStale ? null : kind,
      next: { id, status, title, startsAt, endsAt, components, version: (announced?.version ?? 0) + 1 },
    };
  };
  // It was over before it was announced.
  if (announced === undefined)
    return work.status === "ended" ? undefined : step(work.status === "active" ? "maintenance_started" : "maintenance_planned");
  if (announced.status !== work.status) {
    if (work.status === "ended") return step("maintenance_ended");
    return step(work.status === "active" ? "maintenance_started" : "maintenance_rescheduled");
  }
  const isMoved = announced.startsAt.getTime() !== work.startsAt.getTime() || announced.endsAt.getTime() !== work.endsAt.getTime();
  const isSettled = now.getTime() - work.updatedAt.getTime() >= SETTLED_MS;
  return work.status === "scheduled" && isMoved && isSettled ? step("maintenance_rescheduled") : undefined;
}

function afterDeletion(announced: AnnouncedWork, now: Date): WorkStep | undefined {
  if (announced.status === "ended") return undefined;
  const isCancelled = announced.status === "scheduled" && announced.startsAt > now;
  // Deleting a running window ends it.
  const endsAt = announced.endsAt < now ? announced.endsAt : now;
  const next: AnnouncedWork = {
    ...announced,
    status: "ended",
    endsAt: isCancelled ? announced.endsAt : endsAt,
    version: announced.version + 1,
  };
  if (isCancelled) return { kind: "maintenance_cancelled", next };
  return { kind: isOld(endsAt, now) ? null : "maintenance_ended", next };
}

function isOld(endsAt: Date, now: Date): boolean {
  return now.getTime() - endsAt.getTime() > NEWS_MS;
}
