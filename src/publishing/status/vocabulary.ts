/** The nouns that the parts of the status page hand to each other. Source: specification, Component status; contract, section 8. */

/** What a component can stand for. */
export const MONITOR_TYPES = ["container", "endpoint", "heartbeat", "certificate"] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

/** From the worst to the best. */
export const COMPONENT_STATUSES = ["major_outage", "partial_outage", "maintenance", "degraded", "operational"] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** From the worst to the mildest. */
export const INCIDENT_SEVERITIES = ["critical", "major", "minor"] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Any may follow any. */
export const INCIDENT_STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export interface Monitor {
  type: MonitorType;
  id: number;
}

/** A component as the page may show it, and nothing else of it. */
export interface Component {
  id: number;
  groupId: number | null;
  name: string;
  description: string;
  visible: boolean;
  status: ComponentStatus;
  /** False when it was well, its monitor was not observed for five minutes, and nobody overrides its status. */
  observed: boolean;
  /** Since when it has this status. */
  since: Date;
  /** The last 90 days in UTC, oldest first, today last. */
  days: readonly Day[];
  /** Share of the time of these days in which it was not out, 0 to 1; null when nothing is known. Maintenance counts as nothing known. */
  uptime: number | null;
}

export interface Day {
  /** `2026-11-21`, UTC. */
  date: string;
  /** The worst of the day; null when nothing is known. */
  worst: ComponentStatus | null;
  /** 0 to 1; null when nothing is known. */
  uptime: number | null;
  /** Seconds in an outage. */
  outageSeconds: number;
}

export interface Group {
  id: number;
  name: string;
}

/** Groups and components in the order of the page; components without a group come first. */
export interface Board {
  groups: readonly Group[];
  components: readonly Component[];
}

export interface Incident {
  id: number;
  title: string;
  severity: IncidentSeverity;
  status: IncidentStatus;
  /** Of components, by id, also those that are gone; empty: it concerns all. */
  components: readonly number[];
  /** The service opened it, and no person has taken it over since. */
  automatic: boolean;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
  /** Oldest first. The first is what it was opened with. */
  updates: readonly IncidentUpdate[];
}

export interface IncidentUpdate {
  id: number;
  status: IncidentStatus;
  message: string;
  at: Date;
  editedAt: Date | null;
}

/** A maintenance window as the page shows it. */
export interface PlannedWork {
  id: number;
  title: string;
  description: string;
  startsAt: Date;
  endsAt: Date;
  active: boolean;
  components: readonly number[];
}

/** Whether the page shows "No data" in place of a status; in maintenance it shows that. */
export function hasNoData({ status, observed }: Pick<Component, "status" | "observed">): boolean {
  return status === "degraded" && !observed;
}

/** The status of several together, and whether it is more than missing data. */
export function summaryOf(components: readonly Pick<Component, "status" | "observed">[]): Pick<Component, "status" | "observed"> {
  const status = worstOf(components.map((each) => each.status));
  const degraded = components.filter((each) => each.status === status);
  return { status, observed: status !== "degraded" || !degraded.every(hasNoData) };
}

/** The worst of several: with some but not all in major outage it is a partial one. Operational when there are none. */
export function worstOf(statuses: readonly ComponentStatus[]): ComponentStatus {
  const out = statuses.filter((status) => status === "major_outage").length;
  if (out > 0 && out < statuses.length) return "partial_outage";
  return COMPONENT_STATUSES.find((status) => statuses.includes(status)) ?? "operational";
}
