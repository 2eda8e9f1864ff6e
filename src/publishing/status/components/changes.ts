import type { Event, EventData } from "../../../events.ts";
import type { ComponentStatus } from "../vocabulary.ts";
import type { SavedGroup } from "./arrangement.ts";
import { isObserved, isWithoutData, type SavedComponent } from "./component.ts";

export function lifeEvent(what: "created" | "updated" | "deleted", component: SavedComponent, at: Date): Event {
  return { type: `component.${what}`, data: about(component, at) };
}

export function groupEvent(what: "created" | "updated" | "deleted", { id, name }: SavedGroup, at: Date): Event {
  return { type: `group.${what}`, data: { id, name, agent_id: null, timestamp: at.toISOString() } };
}

/** What to tell of a component whose monitor or maintenance made something else of it, in order. */
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
