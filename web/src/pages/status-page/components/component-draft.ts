/** A component of the status page as it is being put together, and what is wrong with it. */
import { SCOPES } from "../../../../../src/contract/scope.ts";
import { COMPONENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import type { ComponentBody } from "../../../../../src/publishing/status/components/api.ts";
import type { ComponentRecord } from "../../../../../src/publishing/status/components/answers.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { COMPONENT_STATUSES, MONITOR_TYPES, type ComponentStatus } from "../words.ts";

export interface ComponentDraft {
  /** `container:42`, `group:shop` or `agent:local`; at most one. */
  monitor: readonly string[];
  name: string;
  description: string;
  /** As text; empty: none. */
  groupId: string;
  visible: boolean;
  /** Empty: what its monitor says. */
  override: ComponentStatus | "";
  autoIncident: boolean;
}

const GROUP_START = `${SCOPES.group}:`;

export const COMPONENT_FIELDS = ["name", "description", "group_id", "monitor_type", "monitor_id", "status_override"];

export const NEW_COMPONENT: ComponentDraft = {
  monitor: [],
  name: "",
  description: "",
  groupId: "",
  visible: true,
  override: "",
  autoIncident: false,
};

export function draftOf(component: ComponentRecord): ComponentDraft {
  return {
    monitor: [monitorOf(component)],
    name: component.name,
    description: component.description,
    groupId: component.group_id === null ? "" : String(component.group_id),
    visible: component.visible,
    override: component.status_override ?? "",
    autoIncident: component.auto_incident,
  };
}

/** `container:42`, `group:shop`. */
export function monitorOf({ monitor_type, monitor_id }: Pick<ComponentRecord, "monitor_type" | "monitor_id">): string {
  return `${monitor_type}:${monitor_id}`;
}

/** Whether it is all of a group or a host. */
export function isScope(monitor: string | undefined): boolean {
  return monitor?.startsWith(GROUP_START) === true || monitor?.startsWith(`${SCOPES.host}:`) === true;
}

/** What a component is called that stands for it, unless somebody chooses a name: a group goes by its name alone. */
export function suggestedName(monitor: string, nameOf: (monitor: string) => string): string {
  return (monitor.startsWith(GROUP_START) ? monitor.slice(GROUP_START.length) : nameOf(monitor)).slice(0, COMPONENT_BOUNDS.nameLength);
}

/** The draft with another monitor; it takes that one's name unless somebody wrote one. */
export function chooseMonitor(draft: ComponentDraft, monitor: readonly string[], nameOf: (monitor: string) => string): ComponentDraft {
  const [before] = draft.monitor;
  const [after] = monitor;
  const isOwn = draft.name.trim() !== "" && (before === undefined || draft.name !== suggestedName(before, nameOf));
  return { ...draft, monitor, name: isOwn ? draft.name : after === undefined ? "" : suggestedName(after, nameOf) };
}

export function readDraft(draft: ComponentDraft): { body: ComponentBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const [monitor = ""] = draft.monitor;
  const [type = ""] = monitor.split(":", 1);
  const id = monitor.slice(type.length + 1);
  const monitorType = MONITOR_TYPES.find((known) => known === type);
  const name = draft.name.trim();
  if (monitorType === undefined) faults["monitor_id"] = "Choose a monitor.";
  if (name === "") faults["name"] = "Enter a name.";
  if (Object.keys(faults).length > 0 || monitorType === undefined) return { faults };
  return {
    body: {
      name,
      monitor_type: monitorType,
      monitor_id: isScope(monitor) ? id : Number(id),
      description: draft.description.trim(),
      group_id: draft.groupId === "" ? null : Number(draft.groupId),
      visible: draft.visible,
      status_override: COMPONENT_STATUSES.find((known) => known === draft.override) ?? null,
      auto_incident: draft.autoIncident,
    },
  };
}
