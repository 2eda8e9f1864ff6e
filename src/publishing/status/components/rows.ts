import type { Selectable, Generated } from "kysely";
import { z } from "zod";
import { SCOPES } from "../../../contract/scope.ts";
import { COMPONENT_STATUSES, FOLLOWED_TYPES, isScope, type Monitor } from "../vocabulary.ts";
import type { Times } from "./account.ts";
import type { SavedGroup } from "./arrangement.ts";
import type { SavedComponent } from "./component.ts";

/** The columns of this feature's tables; see storage/migrations/012-status-components.ts and 046-status-scopes.ts for their meaning. */
export interface ComponentTables {
  status_groups: GroupRow;
  status_components: ComponentRow;
  status_days: DayRow;
}

interface GroupRow {
  id: Generated<number>;
  name: string;
  sort_order: number;
  created_at: number;
  updated_at: number;
}

interface ComponentRow {
  id: Generated<number>;
  group_id: number | null;
  name: string;
  description: string;
  monitor_type: string;
  monitor_id: number;
  monitor_scope: string | null;
  monitor_name: string;
  agent_id: string | null;
  sort_order: number;
  visible: number;
  auto_incident: number;
  needs_attention: number;
  status: string;
  status_since: number;
  status_override: string | null;
  monitor_status: string;
  observed: number;
  last_observed_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface DayRow {
  component_id: number;
  day: number;
  operational_ms: number;
  degraded_ms: number;
  maintenance_ms: number;
  partial_outage_ms: number;
  major_outage_ms: number;
}

const status = z.enum(COMPONENT_STATUSES);
const monitorType = z.enum(FOLLOWED_TYPES);

/** One day of a component's account. */
export interface SavedDay {
  componentId: number;
  startMs: number;
  times: Times;
}

export function groupFromRow(row: Selectable<GroupRow>): SavedGroup {
  return {
    id: row.id,
    name: row.name,
    sortOrder: row.sort_order,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

export function groupToRow({ name, sortOrder, createdAt, updatedAt }: Omit<SavedGroup, "id">): Omit<GroupRow, "id"> {
  return { name, sort_order: sortOrder, created_at: createdAt.getTime(), updated_at: updatedAt.getTime() };
}

/** What was saved was checked before; a row that is otherwise was changed from outside and is a defect. */
export function componentFromRow(row: Selectable<ComponentRow>, now: Date): SavedComponent {
  return {
    id: row.id,
    groupId: row.group_id,
    name: row.name,
    description: row.description,
    monitor: monitorFromRow(row),
    monitorName: row.monitor_name,
    agentId: row.agent_id,
    sortOrder: row.sort_order,
    visible: row.visible === 1,
    autoIncident: row.auto_incident === 1,
    needsAttention: row.needs_attention === 1,
    status: status.parse(row.status),
    since: new Date(row.status_since),
    statusOverride: status.nullable().parse(row.status_override),
    monitorStatus: status.parse(row.monitor_status),
    observed: row.observed === 1,
    impact: null,
    // null: it was saved before this was recorded.
    lastObservedAt: new Date(row.last_observed_at ?? now),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function monitorFromRow(row: Pick<ComponentRow, "monitor_type" | "monitor_id" | "monitor_scope">): Monitor {
  const type = monitorType.parse(row.monitor_type);
  return type === SCOPES.group || type === SCOPES.host ? { type, id: row.monitor_scope ?? "" } : { type, id: row.monitor_id };
}

export function componentToRow(component: Omit<SavedComponent, "id">): Omit<ComponentRow, "id"> {
  return {
    group_id: component.groupId,
    name: component.name,
    description: component.description,
    monitor_type: component.monitor.type,
    monitor_id: isScope(component.monitor) ? 0 : component.monitor.id,
    monitor_scope: isScope(component.monitor) ? component.monitor.id : null,
    monitor_name: component.monitorName,
    agent_id: component.agentId,
    sort_order: component.sortOrder,
    visible: Number(component.visible),
    auto_incident: Number(component.autoIncident),
    needs_attention: Number(component.needsAttention),
    status: component.status,
    status_since: component.since.getTime(),
    status_override: component.statusOverride,
    monitor_status: component.monitorStatus,
    observed: Number(component.observed),
    last_observed_at: component.lastObservedAt.getTime(),
    created_at: component.createdAt.getTime(),
    updated_at: component.updatedAt.getTime(),
  };
}

export function dayFromRow(row: Selectable<DayRow>): SavedDay {
  const times: Times = {
    operational: row.operational_ms,
    degraded: row.degraded_ms,
    maintenance: row.maintenance_ms,
    partial_outage: row.partial_outage_ms,
    major_outage: row.major_outage_ms,
  };
  return { componentId: row.component_id, startMs: row.day, times };
}

export function dayToRow({ componentId, startMs, times }: SavedDay): DayRow {
  return {
    component_id: componentId,
    day: startMs,
    operational_ms: times.operational,
    degraded_ms: times.degraded,
    maintenance_ms: times.maintenance,
    partial_outage_ms: times.partial_outage,
    major_outage_ms: times.major_outage,
  };
}
