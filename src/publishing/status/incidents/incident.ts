import { isDeepStrictEqual } from "node:util";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { HOUR_MS } from "../../../contract/time.ts";
import { joinWords } from "../../../contract/words.ts";
import { cleanName } from "../../../platform/text.ts";
import type { Impact, Incident, IncidentSeverity, IncidentStatus, IncidentUpdate } from "../vocabulary.ts";

export interface KeptUpdate extends IncidentUpdate {
  /** Subscribers were notified. */
  notified: boolean;
}

/** An incident with what only the service must know of it. `id` is 0 until it is saved, that of an update too. */
export interface KeptIncident extends Incident {
  updates: readonly KeptUpdate[];
  /** It ends by itself when its alerts are over: the service opened it, and no user has opened it again after that. */
  autoResolves: boolean;
}

/** An update that is posted by a user or by the service. */
export interface UpdateDraft {
  status: IncidentStatus;
  message: string;
  notified: boolean;
}

export interface Opening extends Pick<Incident, "title" | "severity" | "components" | "impacts"> {
  byService: boolean;
}

export function openIncident({ byService, ...settings }: Opening, draft: UpdateDraft, at: Date): KeptIncident {
  const updates = [newUpdate(draft, at)];
  return { id: 0, ...settings, ...standing(updates), automatic: byService, autoResolves: byService, createdAt: at, updatedAt: at, updates };
}

export function addUpdate(incident: KeptIncident, draft: UpdateDraft, at: Date): KeptIncident {
  return withUpdates(incident, [...incident.updates, newUpdate(draft, at)], at);
}

export interface Edit {
  title?: string | undefined;
  severity?: IncidentSeverity | undefined;
  components?: readonly number[] | undefined;
  impacts?: ReadonlyMap<number, Impact> | undefined;
}

/** What is left out stays as it is. The same incident when nothing of it changes. */
export function editIncident(incident: KeptIncident, edit: Edit, at: Date): KeptIncident {
  const { title = incident.title, severity = incident.severity, components = incident.components, impacts = incident.impacts } = edit;
  const next = { title, severity, components, impacts: about(components, impacts) };
  const isSame = isDeepStrictEqual(next, {
    title: incident.title,
    severity: incident.severity,
    components: incident.components,
    impacts: incident.impacts,
  });
  return isSame ? incident : { ...incident, ...next, updatedAt: at };
}

/** The impact on a component is removed with it. */
function about(components: readonly number[], impacts: ReadonlyMap<number, Impact>): ReadonlyMap<number, Impact> {
  return new Map([...impacts].filter(([id]) => components.includes(id)));
}

/** The same incident when the message is unchanged; undefined without such an update. */
export function editUpdate(incident: KeptIncident, updateId: number, message: string, at: Date): KeptIncident | undefined {
  const update = incident.updates.find(({ id }) => id === updateId);
  if (update === undefined || update.message === message) return update && incident;
  const updates = incident.updates.map((each) => (each === update ? { ...update, message, editedAt: at } : each));
  return withUpdates(incident, updates, at);
}

/** The earlier updates then decide its status. Undefined without such an update. */
export function removeUpdate(incident: KeptIncident, updateId: number, at: Date): KeptIncident | undefined {
  const updates = incident.updates.filter(({ id }) => id !== updateId);
  return updates.length === incident.updates.length ? undefined : withUpdates(incident, updates, at);
}

/** Marks a user's change: automation then only ends the incident, and not even that once a user opened it again after its alerts. */
export function takeOver(before: KeptIncident, after: KeptIncident, hasAlerts: boolean): KeptIncident {
  if (after === before) return before;
  const isReopened = before.resolvedAt !== null && after.resolvedAt === null;
  return { ...after, automatic: false, autoResolves: before.autoResolves && (hasAlerts || !isReopened) };
}

/** Open ones first, then the latest. */
export function compareIncidents(a: Incident, b: Incident): number {
  return Number(a.resolvedAt !== null) - Number(b.resolvedAt !== null) || b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id;
}

/** What others may know of it. */
export function shownIncident({ autoResolves: _, updates, ...incident }: KeptIncident): Incident {
  return { ...incident, updates: updates.map(shownUpdate) };
}

export function shownUpdate({ notified: _, ...update }: KeptUpdate): IncidentUpdate {
  return update;
}

function newUpdate({ status, message, notified }: UpdateDraft, at: Date): KeptUpdate {
  return { id: 0, status, message, notified, at, editedAt: null };
}

function withUpdates(incident: KeptIncident, updates: readonly KeptUpdate[], at: Date): KeptIncident {
  return { ...incident, ...standing(updates), updates, updatedAt: at };
}

/** The status is that of the last update; it is resolved since the first of those in a row that say so. */
function standing(updates: readonly KeptUpdate[]): Pick<Incident, "status" | "resolvedAt"> {
  const status = updates.at(-1)?.status ?? "investigating";
  if (status !== "resolved") return { status, resolvedAt: null };
  const lastOpen = updates.findLastIndex((update) => update.status !== "resolved");
  return { status, resolvedAt: updates[lastOpen + 1]?.at ?? null };
}

const MAX_NOTIFIED_PER_HOUR = 6;

/** A flapping problem fills no mailbox: beyond a few an hour, subscribers are not notified of what the service posts in between. */
export function mayNotify({ updates }: KeptIncident, now: Date): boolean {
  const since = now.getTime() - HOUR_MS;
  return updates.filter(({ notified, at }) => notified && at.getTime() > since).length < MAX_NOTIFIED_PER_HOUR;
}

/** Whoever was notified of the start is notified of the end. */
export function mustNotifyEnd({ updates }: KeptIncident): boolean {
  const lastEnd = updates.findLastIndex(({ status }) => status === "resolved");
  return updates.slice(lastEnd + 1).some(({ notified }) => notified);
}

/** What the service posts of an incident. It is public: it names components and nothing else. */
export interface Trouble {
  /** Of components. */
  names: readonly string[];
  /** Not available, in contrast to impaired. */
  isOut: boolean;
}

export function titleOf(trouble: Trouble): string {
  return cleanName(clauseOf(trouble), INCIDENT_BOUNDS.titleLength);
}

export function openedText(trouble: Trouble): string {
  return `${clauseOf(trouble)}. We are looking into it.`;
}

export function worseText(trouble: Trouble): string {
  return `The problem has become worse: ${clauseOf(trouble)}. We are looking into it.`;
}

/** More components are affected. */
export function spreadText(added: readonly string[]): string {
  return `${listOf(added)} ${added.length === 1 ? "is" : "are"} affected as well. We are looking into it.`;
}

export function backText(trouble: Trouble): string {
  return `The problem is back: ${clauseOf(trouble)}. We are looking into it.`;
}

export function overText(names: readonly string[]): string {
  if (names.length === 0) return "The problem is resolved.";
  return `${listOf(names)} ${names.length === 1 ? "is" : "are"} working normally again.`;
}

/** Without a full stop. */
function clauseOf({ names, isOut }: Trouble): string {
  const one = names.length === 1;
  if (isOut) return `${listOf(names)} ${one ? "is" : "are"} not available`;
  return `${listOf(names)} ${one ? "has" : "have"} problems`;
}

const NAMED = 3;

/** `A`, `A and B`, `A, B and C`, `A, B and 3 more`. */
function listOf(names: readonly string[]): string {
  const named = names.length > NAMED ? [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} more`] : names;
  return joinWords(named);
}
