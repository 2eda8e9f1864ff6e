import type { Event, EventData } from "../../../events.ts";
import type { Component, ComponentStatus } from "../vocabulary.ts";
import type { ComponentRecord, GroupRecord } from "./answers.ts";
import type { SavedGroup } from "./arrangement.ts";
import { DELETED_HOST, isObserved, type SavedComponent, statusByMonitor, isWithoutData } from "./component.ts";

export function groupRecord({ id, name, sortOrder, createdAt, updatedAt }: SavedGroup): GroupRecord {
  return { id, name, sort_order: sortOrder, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

/** A component as its administrator sees it. */
export function componentRecord(component: SavedComponent, { uptime }: Pick<Component, "uptime">): ComponentRecord {
  const { monitor } = component;
  return {
    id: component.id,
    group_id: component.groupId,
    name: component.name,
    description: component.description,
    monitor_type: monitor.type,
    monitor_id: monitor.id,
    monitor_name: component.monitorName,
    agent_id: component.agentId === DELETED_HOST ? null : component.agentId,
    sort_order: component.sortOrder,
    visible: component.visible,
    status: component.status,
    observed: isObserved(component),
    status_since: component.since.toISOString(),
    status_override: component.statusOverride,
    monitor_status: statusByMonitor(component),
    auto_incident: component.autoIncident,
    needs_attention: component.needsAttention,
    uptime_90d: uptime === null ? null : Math.floor(uptime * 10_000) / 100,
    created_at: component.createdAt.toISOString(),
    updated_at: component.updatedAt.toISOString(),
  };
}

export function lifeEvent(what: "created" | "updated" | "deleted", component: SavedComponent, at: Date): Event {
  return { type: `component.${what}`, data: about(component, at) };
}

export function groupEvent(what: "created" | "updated" | "deleted", { id, name }: SavedGroup, at: Date): Event {
  return { type: `group.${what}`, data: { id, name, agent_id: null, timestamp: at.toISOString() } };
}

/** What to publish of a component whose monitor or maintenance changed it, in order. */
export function stateEvents(before: SavedComponent, after: SavedComponent, at: Date): Event[] {
  const isOtherMonitor = before.monitor.id !== after.monitor.id || before.monitorName !== after.monitorName;
  return [
    ...(isOtherMonitor || before.needsAttention !== after.needsAttention ? [lifeEvent("updated", after, at)] : []),
    ...statusEvents(before, after, at),
  ];
}

export function statusEvents(before: SavedComponent, after: SavedComponent, at: Date): Event[] {
  if (before.status === after.status && isWithoutData(before) === isWithoutData(after)) return [];
  return [{ type: "component.changed", data: { ...about(after, at), previous_status: before.status } }];
}

export function pageEvent(before: ComponentStatus, after: ComponentStatus, at: Date): Event {
  return { type: "status.changed", data: { agent_id: null, status: after, previous_status: before, timestamp: at.toISOString() } };
}

function about(component: SavedComponent, at: Date): EventData["component.created"] {
  const { id, name, groupId, status } = component;
  return { id, name, group_id: groupId, status, observed: isObserved(component), agent_id: null, timestamp: at.toISOString() };
}
