/** An incident and an update of one as they are being written, and what is wrong with them. */
import type { IncidentBody, IncidentEdit, IncidentRecord, UpdateBody } from "../../../../../src/publishing/status/incidents/api.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { isReplaceable, retell, type Template } from "../templates.ts";
import type { IncidentSeverity, IncidentStatus } from "../words.ts";

export interface IncidentDraft {
  title: string;
  severity: IncidentSeverity;
  status: IncidentStatus;
  /** Of components, as text. */
  components: readonly string[];
  message: string;
  notify: boolean;
}

export const INCIDENT_FIELDS = ["title", "severity", "status", "components", "message"];
export const UPDATE_FIELDS = ["status", "message"];

export const NEW_INCIDENT: IncidentDraft = {
  title: "",
  severity: "minor",
  status: "investigating",
  components: [],
  message: "",
  notify: true,
};

export function draftOf({ title, severity, status, components }: IncidentRecord): IncidentDraft {
  return { ...NEW_INCIDENT, title, severity, status, components: components.map(String) };
}

/** The draft with a template's words; what somebody wrote stays. */
export function applyTemplate(draft: IncidentDraft, template: Template, names: readonly string[]): IncidentDraft {
  return {
    ...draft,
    title: isReplaceable(draft.title, names, "title") ? template.title(names) : draft.title,
    message: isReplaceable(draft.message, names, "message") ? template.message(names) : draft.message,
  };
}

/** The draft about other components; what a template made of their names is made anew. */
export function chooseComponents(draft: IncidentDraft, components: readonly string[], nameOf: (id: string) => string): IncidentDraft {
  const names = { from: draft.components.map(nameOf), to: components.map(nameOf) };
  return {
    ...draft,
    components,
    title: retell(draft.title, { ...names, part: "title" }),
    message: retell(draft.message, { ...names, part: "message" }),
  };
}

export function readIncident(draft: IncidentDraft): { body: IncidentBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const title = draft.title.trim();
  const message = draft.message.trim();
  if (title === "") faults["title"] = "Enter a title.";
  if (message === "") faults["message"] = "Enter a message.";
  if (Object.keys(faults).length > 0) return { faults };
  const { severity, status, notify } = draft;
  return { body: { title, severity, status, message, components: draft.components.map(Number), notify } };
}

/** Only what is said of the whole, without a new update. */
export function readEdit(draft: IncidentDraft): { body: IncidentEdit } | { faults: Faults } {
  const title = draft.title.trim();
  if (title === "") return { faults: { title: "Enter a title." } };
  return { body: { title, severity: draft.severity, components: draft.components.map(Number) } };
}

export type UpdateDraft = Pick<IncidentDraft, "status" | "message" | "notify">;

export function readUpdate({ status, message, notify }: UpdateDraft): { body: UpdateBody } | { faults: Faults } {
  const text = message.trim();
  if (text === "") return { faults: { message: "Enter a message." } };
  return { body: { status, message: text, notify } };
}
