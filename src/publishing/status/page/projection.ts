import { DAY_MS } from "../../../contract/time.ts";
import type { PageSettings } from "../settings/index.ts";
import {
  type Board,
  type Component,
  type ComponentStatus,
  type Day,
  type Incident,
  impactOnPage,
  IMPACTS,
  type IncidentUpdate,
  type PlannedWork,
  summaryOf,
  worse,
} from "../vocabulary.ts";
import type { ShellSettings } from "./shell.ts";

/** All that public answers are made of, field by field: what is not named here cannot reach the public. */
export interface Projection extends ShellSettings {
  description: string;
  supportUrl: string | null;
  status: ComponentStatus;
  observed: boolean;
  /** The impact of open incidents that name no component, where that is worse than what its components are. */
  whole: { status: ComponentStatus; since: Date } | null;
  /** Those without a group first, then the groups that have something to show. */
  groups: readonly PublicGroup[];
  /** Open ones first, then the latest of those resolved lately. */
  incidents: readonly PublicIncident[];
  /** Running ones, then the next to begin, then those that are over. */
  works: readonly PublicWork[];
}

export interface PublicGroup {
  /** Null for those without a group. */
  id: number | null;
  name: string;
  status: ComponentStatus;
  observed: boolean;
  components: readonly PublicComponent[];
}

/** `days` is empty where uptime is not shown; `uptime` is null while it is new, too. */
export interface PublicComponent extends Pick<
  Component,
  "id" | "name" | "description" | "status" | "observed" | "since" | "trackedSince" | "days" | "uptime"
> {
  /** Some is known, and less than a day: no figure is made of it. */
  isNew: boolean;
}

/** `components` are those that are on the page. */
export interface PublicIncident extends Pick<
  Incident,
  "id" | "title" | "severity" | "status" | "components" | "createdAt" | "updatedAt" | "resolvedAt"
> {
  /** Oldest first. */
  updates: readonly PublicUpdate[];
}

export type PublicUpdate = Pick<IncidentUpdate, "id" | "status" | "message" | "at">;

export interface PublicWork extends Pick<PlannedWork, "id" | "title" | "description" | "startsAt" | "endsAt" | "active" | "components"> {
  isOver: boolean;
}

export interface Sources {
  settings: PageSettings;
  board: Board;
  incidents: readonly Incident[];
  works: readonly PlannedWork[];
  now: Date;
}

export function project({ settings, board, incidents, works, now }: Sources): Projection {
  const shown = board.components.filter(({ visible }) => visible);
  const sections = [{ id: null, name: "" }, ...board.groups];
  const groups = sections.flatMap(({ id, name }) => {
    const components = shown.filter(({ groupId }) => groupId === id).map((component) => publicComponent(component, settings.showUptime));
    return components.length === 0 ? [] : [{ id, name, ...summaryOf(components), components }];
  });
  const publicIncidents = incidents.flatMap((incident) => publicIncident(incident, board) ?? []);
  const summary = summaryOf(shown);
  const whole = wholeOf(publicIncidents, summary.status);
  return {
    title: settings.title,
    description: settings.description,
    accent: settings.accent,
    logo: settings.logo === null ? null : { version: settings.logo.version },
    homepageUrl: settings.homepageUrl,
    supportUrl: settings.supportUrl,
    ...(whole === null ? summary : { status: whole.status, observed: true }),
    whole,
    groups,
    incidents: publicIncidents,
    works: works.flatMap((work) => publicWork(work, board, now) ?? []),
  };
}

function wholeOf(incidents: readonly PublicIncident[], status: ComponentStatus): Projection["whole"] {
  const all = incidents.filter(({ components, resolvedAt }) => components.length === 0 && resolvedAt === null);
  const worst = IMPACTS.find((impact) => all.some((incident) => impactOnPage(incident) === impact));
  if (worst === undefined || worst === status || worse(worst, status) === status) return null;
  const since = all.filter((incident) => impactOnPage(incident) === worst).map(({ createdAt }) => createdAt.getTime());
  return { status: worst, since: new Date(Math.min(...since)) };
}

function publicComponent(component: Component, showUptime: boolean): PublicComponent {
  const { id, name, description, status, observed, since, trackedSince, knownMs, days, uptime } = component;
  const isNew = showUptime && uptime !== null && knownMs < DAY_MS;
  return {
    id,
    name,
    description,
    status,
    observed,
    since,
    trackedSince,
    isNew,
    days: showUptime ? days.map(publicDay) : [],
    uptime: showUptime && !isNew ? uptime : null,
  };
}

function publicDay({ date, worst, uptime, outageSeconds }: Day): Day {
  return { date, worst, uptime, outageSeconds };
}

/** An incident as the public may see it; undefined when nothing that it is about is on the page. */
export function publicIncident(incident: Incident, board: Board): PublicIncident | undefined {
  const { id, title, severity, status, createdAt, updatedAt, resolvedAt } = incident;
  const components = shownOf(incident.components, board);
  if (components === undefined) return undefined;
  const updates = incident.updates.map((update) => ({ id: update.id, status: update.status, message: update.message, at: update.at }));
  return { id, title, severity, status, components, createdAt, updatedAt, resolvedAt, updates };
}

/** A window that names components of the page; others are nobody's business. */
function publicWork(work: PlannedWork, board: Board, now: Date): PublicWork | undefined {
  const { id, title, description, startsAt, endsAt, active } = work;
  const components = shownOf(work.components, board);
  if (components === undefined || components.length === 0) return undefined;
  return { id, title, description, startsAt, endsAt, active, isOver: !active && endsAt <= now, components };
}

/** Those of the ids that are on the page; undefined when there are ids but none is. One that is gone may have been hidden, so it counts as that. */
function shownOf(ids: readonly number[], { components }: Board): number[] | undefined {
  const shown = components.filter(({ id, visible }) => visible && ids.includes(id)).map(({ id }) => id);
  return ids.length > 0 && shown.length === 0 ? undefined : shown;
}

/** Names of components by id. */
export type Names = ReadonlyMap<number, string>;

export function namesOf(projection: Projection): Names {
  return new Map(componentsOf(projection).map(({ id, name }) => [id, name]));
}

export function componentsOf(projection: Projection): PublicComponent[] {
  return projection.groups.flatMap(({ components }) => components);
}
