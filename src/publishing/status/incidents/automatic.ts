import type { Alert } from "../../../alerting/index.ts";
import { SCOPES } from "../../../contract/scope.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import { type Component, INCIDENT_SEVERITIES, type IncidentSeverity, type Monitor, MONITOR_TYPES } from "../vocabulary.ts";
import type { KeptIncident } from "./incident.ts";

/** Everything that decides which incidents the active alerts lead to. */
export interface Situation {
  now: Date;
  /** All active alerts, held back or not. */
  alerts: readonly Alert[];
  /** Incidents by the alerts that led to them or joined them. */
  links: ReadonlyMap<number, number>;
  /** The open ones, and those resolved of late. */
  incidents: readonly KeptIncident[];
  /** False until it is known which alerts are held back: nothing begins before. */
  settled: boolean;
  /** Those that an alert about this monitor opens an incident for. */
  componentsFor(monitor: Monitor): readonly Component[];
}

/** What is to be done, each in one unit. `joins` and `leaves` are alerts. */
export type Step =
  | { kind: "open"; joins: readonly number[]; affected: Affected }
  /** What is the same again, shortly after it was over. */
  | { kind: "reopen"; incident: KeptIncident; joins: readonly number[]; leaves: readonly number[]; affected: Affected }
  /** More is affected, or it has become worse. */
  | { kind: "grow"; incident: KeptIncident; joins: readonly number[]; leaves: readonly number[]; affected: Affected }
  /** Its last alert is over. */
  | { kind: "end"; incident: KeptIncident; leaves: readonly number[] }
  /** Nothing follows from it for the incident, or the incident is gone. */
  | { kind: "link"; incidentId: number; joins: readonly number[]; leaves: readonly number[] };

export interface Affected {
  severity: IncidentSeverity;
  /** All of them, those that were affected before first. */
  components: readonly number[];
  added: readonly number[];
  isOut: boolean;
}

/** What is the same problem again: within this time it opens the incident again, instead of another one. */
const AGAIN_WITHIN_MS = 10 * MINUTE_MS;
/** An incident that has more updates is not opened again, and gets no more updates about its spread. */
export const TALKATIVE = 50;

/** What becomes of one incident, or of one that is yet to be opened. */
interface Draft {
  incident: KeptIncident | undefined;
  components: Set<number>;
  added: number[];
  /** Active ones, those that join too. */
  alerts: Alert[];
  joins: number[];
  leaves: number[];
}

/** From what is active now to what is to be done; nothing when all is as it should be. So it does not matter how often it is asked, or what was missed. */
export function planSteps(situation: Situation): Step[] {
  const { now, alerts, links, settled } = situation;
  const incidents = situation.incidents.filter((incident) => incident.resolvedAt === null || mayBeBack(incident, now));
  const drafts = new Map(incidents.map((incident) => [incident.id, draftOf(incident)]));
  const gone = new Map<number, number[]>();
  const active = new Map(alerts.map((alert) => [alert.id, alert]));
  for (const [alertId, incidentId] of links) {
    const draft = drafts.get(incidentId);
    const alert = active.get(alertId);
    if (alert !== undefined) draft?.alerts.push(alert);
    else if (draft !== undefined) draft.leaves.push(alertId);
    else gone.set(incidentId, [...(gone.get(incidentId) ?? []), alertId]);
  }
  const all = [...drafts.values()];
  if (settled) for (const alert of alerts) if (!links.has(alert.id)) assign(alert, all, situation.componentsFor);
  const ofGone = [...gone].map(([incidentId, leaves]): Step => ({ kind: "link", incidentId, joins: [], leaves }));
  return [...ofGone, ...all.flatMap((draft) => stepOf(draft) ?? [])];
}

/** Adds an alert that is new to what it belongs to, if it is public at all. */
function assign(alert: Alert, drafts: Draft[], componentsFor: Situation["componentsFor"]): void {
  const severity = severityOf(alert);
  const monitor = monitorOf(alert.entity);
  if (severity === undefined || monitor === undefined || isHeld(alert)) return;
  // What is hidden is named nowhere.
  const components = componentsFor(monitor).flatMap(({ id, visible }) => (visible ? [id] : []));
  if (components.length === 0) return;
  const draft =
    drafts.find((each) => isOpen(each) && isOurs(each) && belongs({ alert, components }, each)) ??
    drafts.find((each) => isOpen(each) && !isOurs(each) && covers(each, components, severity)) ??
    drafts.find((each) => !isOpen(each) && [...each.components].every((id) => components.includes(id))) ??
    begin(drafts);
  draft.alerts.push(alert);
  draft.joins.push(alert.id);
  for (const id of components) {
    if (draft.components.has(id)) continue;
    draft.components.add(id);
    draft.added.push(id);
  }
}

function stepOf({ incident, components, added, alerts, joins, leaves }: Draft): Step | undefined {
  if (incident === undefined) return { kind: "open", joins, affected: affectedBy(alerts, undefined, components, added) };
  const { id: incidentId, resolvedAt, autoResolves, automatic } = incident;
  const wasOpen = resolvedAt === null;
  if (wasOpen && autoResolves && alerts.length === 0 && leaves.length > 0) return { kind: "end", incident, leaves };
  if (automatic && autoResolves && alerts.length > 0) {
    const affected = affectedBy(alerts, wasOpen ? incident.severity : undefined, components, added);
    if (!wasOpen) return { kind: "reopen", incident, joins, leaves, affected };
    if (added.length > 0 || affected.severity !== incident.severity) return { kind: "grow", incident, joins, leaves, affected };
  }
  return joins.length + leaves.length === 0 ? undefined : { kind: "link", incidentId, joins, leaves };
}

function draftOf(incident: KeptIncident): Draft {
  return { incident, components: new Set(incident.components), added: [], alerts: [], joins: [], leaves: [] };
}

function begin(drafts: Draft[]): Draft {
  const draft: Draft = { incident: undefined, components: new Set(), added: [], alerts: [], joins: [], leaves: [] };
  drafts.push(draft);
  return draft;
}

/** Now, or as soon as this plan is carried out. */
function isOpen({ incident, joins }: Draft): boolean {
  return incident === undefined || incident.resolvedAt === null || joins.length > 0;
}

/** It ends with its alerts. */
function isOurs({ incident }: Draft): boolean {
  return incident === undefined || incident.autoResolves;
}

/** It is about the same components, or about what they depend on. */
function belongs({ alert, components }: { alert: Alert; components: readonly number[] }, draft: Draft): boolean {
  if (overlaps(draft, components)) return true;
  // A user who took it over also decides what it is about.
  return draft.incident?.automatic !== false && draft.alerts.some((other) => areRelated(alert, other));
}

/** A user's incident is about these components, with at least this severity. */
function covers({ incident, components: named }: Draft, components: readonly number[], severity: IncidentSeverity): boolean {
  return incident !== undefined && rankOf(incident.severity) <= rankOf(severity) && components.every((id) => named.has(id));
}

/** It ended by itself a moment ago. */
function mayBeBack({ automatic, autoResolves, resolvedAt, updates }: KeptIncident, now: Date): boolean {
  if (resolvedAt === null || now.getTime() - resolvedAt.getTime() >= AGAIN_WITHIN_MS) return false;
  return automatic && autoResolves && updates.length < TALKATIVE;
}

function overlaps({ components: named }: Draft, components: readonly number[]): boolean {
  return components.some((id) => named.has(id));
}

/** One of them follows from the other, or both from the same. */
function areRelated(a: Alert, b: Alert): boolean {
  if (isDependent(a) && isDependent(b)) return a.parents.some((parent) => b.parents.some((other) => isSame(parent, other)));
  return (
    (isDependent(a) && a.parents.some((parent) => isSame(parent, b.entity))) ||
    (isDependent(b) && b.parents.some((parent) => isSame(parent, a.entity)))
  );
}

function isSame(a: Alert["entity"], b: Alert["entity"]): boolean {
  return a.type === b.type && a.id === b.id;
}

function isDependent({ suppressedBy }: Alert): boolean {
  return suppressedBy === "dependency";
}

/** A user suppressed it. One that depends on another outage is only not sent twice: the component is out all the same. */
function isHeld({ suppressedBy }: Alert): boolean {
  return suppressedBy === "silence" || suppressedBy === "maintenance";
}

/** It never gets milder while it lasts. */
function affectedBy(
  alerts: readonly Alert[],
  before: IncidentSeverity | undefined,
  components: ReadonlySet<number>,
  added: readonly number[],
): Affected {
  const severities = [...alerts.map(severityOf), before];
  const severity = INCIDENT_SEVERITIES.find((each) => severities.includes(each)) ?? "minor";
  return { severity, components: [...components], added, isOut: alerts.some(isOutage) };
}

/** The monitor that an alert is about, if it is one that components can stand for; alerts call the server's own host `host`. */
export function monitorOf(entity: Alert["entity"]): Monitor | undefined {
  if (entity.type === SCOPES.host || entity.type === "host") return { type: SCOPES.host, id: entity.id };
  const type = MONITOR_TYPES.find((each) => each === entity.type);
  const id = Number(entity.id);
  return type === undefined || !Number.isSafeInteger(id) ? undefined : { type, id };
}

/** How bad it is for readers of the page; undefined when it does not concern them. */
function severityOf({ severity, event }: Alert): IncidentSeverity | undefined {
  if (severity === "info") return undefined;
  // Nothing is out as long as it is valid, however urgent it is to renew it.
  return severity === "critical" && event !== "expiring" ? "major" : "minor";
}

/** As components derive their status: anything else leaves the component impaired at most. */
const OUTAGES: ReadonlySet<string> = new Set([
  "down",
  "restart_loop",
  "consecutive_failure",
  "deadline_missed",
  "expired",
  "chain_invalid",
]);

function isOutage({ event }: Alert): boolean {
  return OUTAGES.has(event);
}

function rankOf(severity: IncidentSeverity): number {
  return INCIDENT_SEVERITIES.indexOf(severity);
}
