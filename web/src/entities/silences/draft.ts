/** A silence and a maintenance window as they are being put together, and what is wrong with them. */
import type { MaintenanceBody, MatchersBody, SilenceBody } from "../../../../src/alerting/suppression/api.ts";
import type { MaintenanceRecord } from "../../../../src/alerting/suppression/answers.ts";
import type { AlertSource, Severity } from "../../format/alert-words.ts";
import { fromLocalField, toLocalDraft } from "../../format/local-time.ts";
import type { SilenceSearch } from "../notifications/search.ts";
import type { Faults } from "../../ui/forms/server-faults.ts";
import { draftEnd } from "./periods.ts";

export interface SilenceDraft {
  reason: string;
  /** As a field has it; empty: at once. */
  starts: string;
  ends: string;
  source: AlertSource | "";
  severity: Severity | "";
  /** `container:42`; at most one. */
  entities: readonly string[];
  event: string;
  host: string;
  label: string;
}

export const SILENCE_FIELDS = ["reason", "starts_at", "ends_at", "matchers"];
export const WINDOW_FIELDS = ["title", "description", "starts_at", "ends_at", "components", "entities"];

/** A silence of two hours, of what another page proposes. */
export function newSilence({ source, severity, entity, event }: SilenceSearch, nowMs: number): SilenceDraft {
  return {
    reason: "",
    starts: "",
    ends: draftEnd("2h", nowMs),
    source: source ?? "",
    severity: severity ?? "",
    entities: entity === undefined ? [] : [entity],
    event: event ?? "",
    host: "",
    label: "",
  };
}

/** What the draft would match; undefined when it names nothing. */
export function matchersOf({ source, severity, entities: [entity], event, host, label }: SilenceDraft): MatchersBody | undefined {
  const thing = entity === undefined ? undefined : readEntity(entity);
  const matchers = {
    ...(source !== "" && { source }),
    ...(thing !== undefined && { entity_type: thing.entity_type, entity_id: thing.entity_id }),
    ...(severity !== "" && { severity }),
    ...(event.trim() !== "" && { event: event.trim().toLowerCase().replace(/\s+/g, "_") }),
    ...(host !== "" && { agent_id: host }),
    ...(label.trim() !== "" && { label: label.trim() }),
  };
  return Object.keys(matchers).length === 0 ? undefined : matchers;
}

export function readEntity(entity: string): { entity_type: string; entity_id: string } {
  const at = entity.indexOf(":");
  return { entity_type: entity.slice(0, at), entity_id: entity.slice(at + 1) };
}

const NO_REASON = "No reason given";

/** The silence that the draft asks for, in the name of `by`, or what is wrong with it. */
export function readSilence(draft: SilenceDraft, by: string): { body: SilenceBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const period = readPeriod(draft, faults);
  const matchers = matchersOf(draft);
  // The server keeps a reason with each.
  const reason = draft.reason.trim() || NO_REASON;
  if (matchers === undefined) faults["matchers"] = "Add at least one matcher.";
  if (Object.keys(faults).length > 0 || matchers === undefined || period.ends === undefined) return { faults };
  return {
    body: {
      reason,
      ...(period.starts !== undefined && { starts_at: period.starts }),
      ends_at: period.ends,
      matchers,
      ...(by !== "" && { created_by: by }),
    },
  };
}

interface PeriodDraft {
  starts: string;
  ends: string;
}

function readPeriod(
  { starts, ends }: PeriodDraft,
  faults: Record<string, string>,
): { starts: string | undefined; ends: string | undefined } {
  const from = fromLocalField(starts);
  const until = fromLocalField(ends);
  if (starts !== "" && from === undefined) faults["starts_at"] = "Enter a date and time.";
  if (until === undefined) faults["ends_at"] = "Enter a date and time.";
  else if (from !== undefined && until <= from) faults["ends_at"] = "Must be after the start.";
  return { starts: from, ends: until };
}

export interface WindowDraft extends PeriodDraft {
  title: string;
  description: string;
  /** Of the status page, as text. */
  components: readonly string[];
  entities: readonly string[];
}

/** A window of two hours from the next full hour on. */
export function newWindow(nowMs: number): WindowDraft {
  const next = new Date(nowMs);
  next.setHours(next.getHours() + 1, 0, 0, 0);
  return windowFrom(next.getTime());
}

/** A window of two hours from then on. */
export function windowFrom(startMs: number): WindowDraft {
  return {
    title: "",
    description: "",
    starts: toLocalDraft(startMs),
    ends: draftEnd("2h", startMs),
    components: [],
    entities: [],
  };
}

export function windowDraft({ title, description, starts_at, ends_at, components, entities }: MaintenanceRecord): WindowDraft {
  return {
    title,
    description,
    starts: toLocalDraft(Date.parse(starts_at)),
    ends: toLocalDraft(Date.parse(ends_at)),
    components: components.map(String),
    entities: entities.map(({ entity_type, entity_id }) => `${entity_type}:${entity_id}`),
  };
}

/** The window that the draft asks for. A time whose field still shows what was saved keeps its seconds. */
export function readWindow(draft: WindowDraft, saved: MaintenanceRecord | undefined): { body: MaintenanceBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const { starts, ends } = readPeriod(draft, faults);
  const title = draft.title.trim();
  if (title === "") faults["title"] = "Enter a title.";
  if (starts === undefined) faults["starts_at"] ??= "Enter a date and time.";
  if (draft.entities.length + draft.components.length === 0) faults["entities"] = "Choose at least one.";
  if (Object.keys(faults).length > 0 || starts === undefined || ends === undefined) return { faults };
  const kept = (field: string, iso: string, was: string | undefined): string =>
    was !== undefined && toLocalDraft(Date.parse(was)) === field ? was : iso;
  return {
    body: {
      title,
      description: draft.description.trim(),
      starts_at: kept(draft.starts, starts, saved?.starts_at),
      ends_at: kept(draft.ends, ends, saved?.ends_at),
      components: draft.components.map(Number),
      entities: draft.entities.map(readEntity),
    },
  };
}
