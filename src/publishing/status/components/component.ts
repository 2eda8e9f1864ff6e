import type { Entity } from "../../../alerting/index.ts";
import type { ComponentStatus, Monitor } from "../vocabulary.ts";

/** What somebody says of a component. */
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

/** What is known of a component's monitor, and follows from it. */
export interface State {
  /** Of the monitor when it was last seen, as the next three. */
  monitorName: string;
  /** null is the local host; see also {@link DELETED_HOST}. */
  agentId: string | null;
  monitorStatus: ComponentStatus;
  /** Its monitor is gone. */
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

/** How a monitor stands now. */
export interface Look {
  name: string;
  agentId: string | null;
  status: ComponentStatus;
  /** Itself, what it depends on, and its host: what maintenance may name to mean it. */
  entities: readonly Entity[];
}

/** What a component becomes when its monitor stands so; undefined: it is gone, and the component keeps what it said last. */
export function stateAfter(
  before: Settings & Pick<State, "status" | "since"> & Partial<State>,
  { look, inMaintenance, now }: { look: Look | undefined; inMaintenance: boolean; now: Date },
): State {
  const monitorStatus = look?.status ?? before.monitorStatus ?? "operational";
  const status = before.statusOverride ?? (inMaintenance ? "maintenance" : monitorStatus);
  return {
    monitorName: look === undefined ? (before.monitorName ?? "") : followedName(before.monitorName, look.name),
    agentId: look === undefined ? (before.agentId ?? null) : look.agentId,
    monitorStatus,
    needsAttention: look === undefined,
    status,
    since: status === before.status ? before.since : now,
  };
}

/** Whether something about it must be saved. */
export function differs(before: State, after: State): boolean {
  return (
    before.status !== after.status ||
    before.monitorStatus !== after.monitorStatus ||
    before.needsAttention !== after.needsAttention ||
    before.monitorName !== after.monitorName ||
    before.agentId !== after.agentId
  );
}

/** The same by a first glance at its monitor alone. */
export function saysNew(component: SavedComponent, look: Look | undefined): boolean {
  if (look === undefined) return !component.needsAttention;
  const { needsAttention, monitorStatus, monitorName, agentId } = component;
  return needsAttention || look.status !== monitorStatus || look.name !== monitorName || look.agentId !== agentId;
}

/**
 * Whether another container may have taken the place of its monitor: that is gone, or was set aside under a name like `0123456789ab_web` while
 * a new one is made.
 */
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
