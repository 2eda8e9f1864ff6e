/** An incident and an update of one as they are being written, and what is wrong with them. */
import type { IncidentBody, IncidentEdit, UpdateBody } from "../../../../../src/publishing/status/incidents/api.ts";
import type { IncidentRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { isReplaceable, rephrase, type Template } from "../templates.ts";
import { type Impact, IMPACT_BY_SEVERITY, impactsFor, type IncidentSeverity, type IncidentStatus } from "../words.ts";

export interface IncidentDraft {
  title: string;
  severity: IncidentSeverity;
  status: IncidentStatus;
  /** Of components, as text. */
  components: readonly string[];
  /** By component: what was chosen in place of what the severity makes of it. */
  impacts: Readonly<Record<string, Impact>>;
  message: string;
  notify: boolean;
}

export const INCIDENT_FIELDS = ["title", "components", "impacts", "message"];
export const UPDATE_FIELDS = ["message"];

export const NEW_INCIDENT: IncidentDraft = {
  title: "",
  severity: "minor",
  status: "investigating",
  components: [],
  impacts: {},
  message: "",
  notify: true,
};

export function draftOf({ title, severity, status, components, impacts }: IncidentRecord): IncidentDraft {
  const chosen = impacts.filter((impact) => impact.status !== IMPACT_BY_SEVERITY[severity]);
  return {
    ...NEW_INCIDENT,
    title,
    severity,
    status,
    components: components.map(String),
    impacts: Object.fromEntries(chosen.map((impact) => [impact.component_id, impact.status])),
  };
}

/** What a component is at least while the incident is open. */
export function impactOf({ severity, impacts }: Pick<IncidentDraft, "severity" | "impacts">, component: string): Impact {
  const chosen = impacts[component];
  return chosen !== undefined && impactsFor(severity).includes(chosen) ? chosen : IMPACT_BY_SEVERITY[severity];
}

/** Those that differ from what the severity says. */
function chosenImpacts(draft: IncidentDraft): NonNullable<IncidentEdit["impacts"]> {
  return draft.components.flatMap((id) => {
    const status = impactOf(draft, id);
    return status === IMPACT_BY_SEVERITY[draft.severity] ? [] : [{ component_id: Number(id), status }];
  });
}

/** The draft with a template's words; what somebody wrote stays. */
export function applyTemplate(draft: IncidentDraft, template: Template, names: readonly string[]): IncidentDraft {
  return {
    ...draft,
    title: isReplaceable(draft.title, names, "title") ? template.title(names) : draft.title,
    message: isReplaceable(draft.message, names, "message") ? template.message(names) : draft.message,
  };
}

/** The draft about other components; what a template made of their names is made again. */
export function chooseComponents(draft: IncidentDraft, components: readonly string[], nameOf: (id: string) => string): IncidentDraft {
  const names = { from: draft.components.map(nameOf), to: components.map(nameOf) };
  return {
    ...draft,
    components,
    title: rephrase(draft.title, { ...names, part: "title" }),
    message: rephrase(draft.message, { ...names, part: "message" }),
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
  return { body: { title, severity, status, message, components: draft.components.map(Number), impacts: chosenImpacts(draft), notify } };
}

/** Only what concerns the whole incident, without a new update. */
export function readEdit(draft: IncidentDraft): { body: IncidentEdit } | { faults: Faults } {
  const title = draft.title.trim();
  if (title === "") return { faults: { title: "Enter a title." } };
  return { body: { title, severity: draft.severity, components: draft.components.map(Number), impacts: chosenImpacts(draft) } };
}

export type UpdateDraft = Pick<IncidentDraft, "status" | "message" | "notify">;

export function readUpdate({ status, message, notify }: UpdateDraft): { body: UpdateBody } | { faults: Faults } {
  const text = message.trim();
  if (text === "") return { faults: { message: "Enter a message." } };
  return { body: { status, message: text, notify } };
}
