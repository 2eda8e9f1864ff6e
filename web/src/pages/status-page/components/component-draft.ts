/** A component of the status page as it is being put together, and what is wrong with it. */
import type { ComponentBody } from "../../../../../src/publishing/status/components/api.ts";
import type { ComponentRecord } from "../../../../../src/publishing/status/components/answers.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { COMPONENT_STATUSES, MONITOR_TYPES, type ComponentStatus } from "../words.ts";

export interface ComponentDraft {
  /** `container:42`; at most one. */
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

/** `container:42`. */
export function monitorOf({ monitor_type, monitor_id }: Pick<ComponentRecord, "monitor_type" | "monitor_id">): string {
  return `${monitor_type}:${monitor_id}`;
}

/** The draft with another monitor; it takes that one's name unless somebody wrote one. */
export function chooseMonitor(draft: ComponentDraft, monitor: readonly string[], nameOf: (monitor: string) => string): ComponentDraft {
  const [before] = draft.monitor;
  const [after] = monitor;
  const isOwn = draft.name.trim() !== "" && (before === undefined || draft.name !== nameOf(before));
  return { ...draft, monitor, name: isOwn ? draft.name : after === undefined ? "" : nameOf(after) };
}

export function readDraft(draft: ComponentDraft): { body: ComponentBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const [monitor = ""] = draft.monitor;
  const [type = "", id = ""] = monitor.split(":");
  const monitorType = MONITOR_TYPES.find((known) => known === type);
  const name = draft.name.trim();
  if (monitorType === undefined) faults["monitor_id"] = "Choose a monitor.";
  if (name === "") faults["name"] = "Enter a name.";
  if (Object.keys(faults).length > 0 || monitorType === undefined) return { faults };
  return {
    body: {
      name,
      monitor_type: monitorType,
      monitor_id: Number(id),
      description: draft.description.trim(),
      group_id: draft.groupId === "" ? null : Number(draft.groupId),
      visible: draft.visible,
      status_override: COMPONENT_STATUSES.find((known) => known === draft.override) ?? null,
      auto_incident: draft.autoIncident,
    },
  };
}
