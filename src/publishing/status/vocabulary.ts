import { SCOPES } from "../../contract/scope.ts";

/** The nouns that the parts of the status page hand to each other. Source: specification, Component status; contract, section 8. */

/** What is monitored by itself. */
export const MONITOR_TYPES = ["container", "endpoint", "heartbeat", "certificate"] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

/** All that is in a group, or on a host. */
export const SCOPE_TYPES = [SCOPES.group, SCOPES.host] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

/** What a component can stand for. */
export const FOLLOWED_TYPES = [...MONITOR_TYPES, ...SCOPE_TYPES] as const;
export type FollowedType = (typeof FOLLOWED_TYPES)[number];

/** From the worst to the best. */
export const COMPONENT_STATUSES = ["major_outage", "partial_outage", "maintenance", "degraded", "operational"] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** From the worst to the mildest. */
export const INCIDENT_SEVERITIES = ["critical", "major", "minor"] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** The impact of an incident on a component; see {@link impactOf}. */
export const IMPACTS = ["major_outage", "partial_outage", "degraded", "operational"] as const satisfies readonly ComponentStatus[];
export type Impact = (typeof IMPACTS)[number];

/** Any may follow any. */
export const INCIDENT_STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** The name of a group; `local` or the id of an agent. */
export interface Scope {
  type: ScopeType;
  id: string;
}

export type Monitor = { type: MonitorType; id: number } | Scope;

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
  /** Its monitor was seen to be healthy, and nobody overrides that; an incident may still make it worse. */
  healthy: boolean;
  /** Since when it has this status. */
  since: Date;
  /** When it was made: there is no history before. */
  trackedSince: Date;
  /** How much of the 90 days is known, maintenance not counted. */
  knownMs: number;
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
  /** Set by a user for some of them; for the others its severity decides. */
  impacts: ReadonlyMap<number, Impact>;
  /** The service opened it, and no user has taken it over since. */
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

const BY_SEVERITY: Record<IncidentSeverity, Impact> = { critical: "major_outage", major: "partial_outage", minor: "degraded" };

/** The impact of an incident on a component while it is open. Only a minor one can leave a component operational. */
export function impactOf(
  { impacts, severity, automatic }: Pick<Incident, "impacts" | "severity" | "automatic">,
  componentId: number,
): Impact {
  const stated = impacts.get(componentId);
  if (stated !== undefined && (stated !== "operational" || severity === "minor")) return stated;
  // The monitor shows what is worse, and one of several components may be back already.
  return automatic ? "degraded" : BY_SEVERITY[severity];
}

/** The impact on the page of an open incident that names no component. */
export function impactOnPage({ severity }: Pick<Incident, "severity">): Impact {
  return BY_SEVERITY[severity];
}

export function worse(one: ComponentStatus, other: ComponentStatus): ComponentStatus {
  return COMPONENT_STATUSES.find((status) => status === one || status === other) ?? one;
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

export function isScope(monitor: Monitor): monitor is Scope {
  return monitor.type === SCOPES.group || monitor.type === SCOPES.host;
}
