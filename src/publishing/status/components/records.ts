import type { Component } from "../vocabulary.ts";
import type { ComponentRecord, GroupRecord } from "./answers.ts";
import type { SavedGroup } from "./arrangement.ts";
import { DELETED_HOST, isObserved, type SavedComponent, statusByMonitor } from "./component.ts";

export function groupRecord({ id, name, sortOrder, createdAt, updatedAt }: SavedGroup): GroupRecord {
  return { id, name, sort_order: sortOrder, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

/** A component as whoever administers it sees it. */
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
