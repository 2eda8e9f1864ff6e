import type { Entity } from "../../../alerting/index.ts";
import { UNOBSERVED_AFTER_MS } from "../../../contract/endpoint.ts";
import { SCOPES } from "../../../contract/scope.ts";
import { type ComponentStatus, hasNoData, type Impact, type Monitor, worse } from "../vocabulary.ts";

/** The settings of a component. */
export interface Settings {
  groupId: number | null;
  name: string;
  description: string;
  monitor: Monitor;
  sortOrder: number;
  visible: boolean;
  /** null: what its monitor and maintenance make of it. */
  statusOverride: ComponentStatus | null;
  /** An alert about its monitor opens an incident. */
  autoIncident: boolean;
}

/** The host of a monitor that went with it when it was deleted: none is called so, so that nothing takes its place by its name. */
export const DELETED_HOST = "";

/** A component of whose host nothing is left. */
export function withoutHost(component: SavedComponent): SavedComponent {
  const monitor: Monitor = component.monitor.type === SCOPES.host ? { type: SCOPES.host, id: DELETED_HOST } : component.monitor;
  return { ...component, monitor, agentId: DELETED_HOST };
}

/** What is known of a component's monitor, and follows from it. */
export interface State {
  /** Of the monitor when it was last seen, as the next four. */
  monitorName: string;
  /** null is the local host; see also {@link DELETED_HOST}. */
  agentId: string | null;
  monitorStatus: ComponentStatus;
  lastObservedAt: Date;
  /** False when it was well, and was last observed more than five minutes ago. */
  observed: boolean;
  /** The impact of open incidents on it; null: none. Not saved, since incidents are. */
  impact: Impact | null;
  /** Its monitor is gone: it is not on the page. */
  needsAttention: boolean;
  status: ComponentStatus;
  since: Date;
}

/** A part of what the public sees, and what it stands for here. */
export interface SavedComponent extends Settings, State {
  id: number;
  createdAt: Date;
  /** Of its settings. */
  updatedAt: Date;
}

/** The present state of a monitor. */
export interface Look {
  name: string;
  agentId: string | null;
  /** null when it has no status now, such as an endpoint that is not checked. */
  status: ComponentStatus | null;
  /** null when it was not observed since the start. */
  lastObservedAt: Date | null;
  /** Itself, what it depends on, and its host: what maintenance may name to mean it. */
  entities: readonly Entity[];
  /** What is in the group or on the host now; undefined of a single monitor. */
  members?: readonly Member[];
}

export type Member = Pick<Look, "status" | "lastObservedAt" | "entities">;

interface StateContext {
  look: Look | undefined;
  isGone: boolean;
  /** What maintenance makes of it; null: none that runs concerns it. */
  inMaintenance: ComponentStatus | null;
  impact: Impact | null;
  now: Date;
}

/** What a component becomes with this status of its monitor; without a look it keeps the last one. */
export function stateAfter(
  before: Settings & Pick<State, "status" | "since"> & Partial<State>,
  { look, isGone, inMaintenance, impact, now }: StateContext,
): State {
  const monitorStatus = isEmpty(look) ? "operational" : (look?.status ?? before.monitorStatus ?? "operational");
  const lastObservedAt = lastObservation(before.lastObservedAt, look?.lastObservedAt ?? undefined, now);
  // Only health has to be seen: what is bad stays bad until then.
  const observed = !isEmpty(look) && (monitorStatus !== "operational" || now.getTime() - lastObservedAt.getTime() < UNOBSERVED_AFTER_MS);
  const unaffected = before.statusOverride ?? inMaintenance ?? statusByMonitor({ monitorStatus, observed });
  // An override stands by itself, unless it is `operational`.
  const stands = before.statusOverride !== null && before.statusOverride !== "operational";
  const status = impact === null || stands ? unaffected : worse(unaffected, impact);
  const after = { statusOverride: before.statusOverride, status, observed, impact };
  const isSame = status === before.status && isWithoutData(after) === isWithoutData({ observed: true, impact: null, ...before });
  return {
    monitorName: look === undefined ? (before.monitorName ?? "") : followedName(before.monitorName, look.name),
    agentId: look === undefined ? (before.agentId ?? null) : look.agentId,
    monitorStatus,
    lastObservedAt,
    observed,
    impact,
    needsAttention: isGone,
    status,
    since: isSame ? before.since : isWithoutData(after) ? lastObservedAt : now,
  };
}

/** A group or a host in which nothing is: nothing is known of it, whatever it was before. */
function isEmpty(look: Look | undefined): boolean {
  return look?.members?.length === 0;
}

/** The latest of these; a clock that was set back leaves none in the future. */
function lastObservation(before: Date | undefined, seen: Date | undefined, now: Date): Date {
  const known = [before, seen].flatMap((each) => each?.getTime() ?? []);
  return known.length === 0 ? now : new Date(Math.min(Math.max(...known), now.getTime()));
}

/** What a component is without override and maintenance. */
export function statusByMonitor({ monitorStatus, observed }: Pick<State, "monitorStatus" | "observed">): ComponentStatus {
  return observed ? monitorStatus : "degraded";
}

type Observed = Pick<SavedComponent, "observed" | "statusOverride" | "impact">;

/** What the page shows of it; an override is somebody's observation, and so is an incident. */
export function isObserved({ observed, statusOverride, impact }: Observed): boolean {
  return observed || statusOverride !== null || (impact !== null && impact !== "operational");
}

/** Whether it would be operational if it were not for incidents. */
export function isHealthy({ observed, statusOverride, monitorStatus, status }: SavedComponent): boolean {
  return (observed || statusOverride !== null) && status !== "maintenance" && (statusOverride ?? monitorStatus) === "operational";
}

export function isWithoutData(component: Pick<SavedComponent, "status"> & Observed): boolean {
  return hasNoData({ status: component.status, observed: isObserved(component) });
}

/** A component whose monitor is gone is not, until it gets another. */
export function isOnPage({ visible, needsAttention }: Pick<SavedComponent, "visible" | "needsAttention">): boolean {
  return visible && !needsAttention;
}

/** The status that its time counts for; null while nothing is known. */
export function countedStatus(component: SavedComponent): ComponentStatus | null {
  return component.needsAttention || isWithoutData(component) ? null : component.status;
}

/** Whether something about it must be saved. When it was last observed is saved each minute. */
export function differs(before: State, after: State): boolean {
  return (
    before.status !== after.status ||
    before.observed !== after.observed ||
    before.impact !== after.impact ||
    before.monitorStatus !== after.monitorStatus ||
    before.needsAttention !== after.needsAttention ||
    before.monitorName !== after.monitorName ||
    before.agentId !== after.agentId
  );
}

/** The same by a first glance at its monitor alone. */
export function saysNew(component: SavedComponent, look: Look | undefined): boolean {
  if (look === undefined) return !component.needsAttention;
  const { needsAttention, observed, monitorStatus, monitorName, agentId } = component;
  const isNewStatus = look.status !== null && look.status !== monitorStatus;
  return needsAttention || !observed || isEmpty(look) || isNewStatus || look.name !== monitorName || look.agentId !== agentId;
}

/** Whether another container may have taken its monitor's place: that is gone, or was renamed like `0123456789ab_web` while a new one is made. */
export function mayHaveSuccessor({ monitor, monitorName }: SavedComponent, look: Look | undefined): boolean {
  if (look === undefined) return true;
  return monitor.type === "container" && look.name !== monitorName && isSetAside(look.name, monitorName);
}

function followedName(known: string | undefined, seen: string): string {
  return known !== undefined && isSetAside(seen, known) ? known : seen;
}

function isSetAside(seen: string, known: string): boolean {
  return seen.length === known.length + 13 && seen.endsWith(`_${known}`) && /^[0-9a-f]{12}_/.test(seen);
}
