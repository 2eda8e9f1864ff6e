import { escapeHtml } from "../../../http/page.ts";
import type { Names, PublicIncident, PublicUpdate, PublicWork, PublicComponent } from "./projection.ts";
import {
  counted,
  dateHtml,
  INCIDENT_WORDS,
  SEVERITY_WORDS,
  spanWords,
  timeHtml,
  type ShownStatus,
  shownStatus,
  STATUS_WORDS,
} from "./words.ts";

/** Each status has its own shape, so that colour alone never distinguishes it. 12 units square. */
const SHAPES: Record<ShownStatus, string> = {
  operational: `<circle cx="6" cy="6" r="4.5"/>`,
  degraded: `<path d="M6 1.5a4.5 4.5 0 0 0 0 9z"/><circle cx="6" cy="6" r="4" fill="none" stroke="currentColor"/>`,
  partial_outage: `<path fill-rule="evenodd" d="M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M3.5 5.2v1.6h5V5.2z"/>`,
  major_outage: `<path d="M2.5 2.5l7 7M9.5 2.5l-7 7" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>`,
  maintenance: `<path d="M2.5 9.5l4-4M8.8 2.2a2.6 2.6 0 0 0-3 3.4M9.8 3.2a2.6 2.6 0 0 1-3.4 3" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>`,
  unknown: `<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.4"/>`,
};

/** The shapes, once in a document. */
export const MARKS = `<div hidden><svg>${Object.entries(SHAPES)
  .map(([status, shape]) => `<symbol id="i-${status}" viewBox="0 0 12 12">${shape}</symbol>`)
  .join("")}</svg></div>`;

export function mark(status: ShownStatus): string {
  return `<svg class="i" aria-hidden="true"><use href="#i-${status}"/></svg>`;
}

export function statusHtml(of: Pick<PublicComponent, "status" | "observed">): string {
  const status = shownStatus(of);
  return `<span class="s ${status}">${mark(status)}${STATUS_WORDS[status]}</span>`;
}

/** How much of what people wrote the front page repeats; the incident's own page has all of it. */
const ON_FRONT = { updates: 5, characters: 600, componentsNamed: 8 } as const;

/** Text by users: escaped, and in its own direction. */
export function textHtml(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** An open incident with its timeline, the latest first. */
export function openIncidentHtml(incident: PublicIncident, names: Names): string {
  const latest = incident.updates.toReversed();
  const more = latest.length - ON_FRONT.updates;
  return `<article class="item"><h3><a href="/status/incidents/${incident.id}">${textHtml(incident.title)}</a></h3>${metaHtml(incident, names)}${timelineHtml(latest.slice(0, ON_FRONT.updates), ON_FRONT.characters)}${more > 0 ? `<p class="meta"><a href="/status/incidents/${incident.id}">${counted(more, "earlier update")}</a></p>` : ""}</article>`;
}

/** One that is over, in short: what it was, how long, and its last update. */
function pastIncidentHtml(incident: PublicIncident, names: Names): string {
  const last = incident.updates.at(-1);
  const update = last === undefined ? "" : `<p class="text" dir="auto">${escapeHtml(shortened(last.message, ON_FRONT.characters / 2))}</p>`;
  return `<div class="item"><h4><a href="/status/incidents/${incident.id}">${textHtml(incident.title)}</a></h4>${metaHtml(incident, names)}${update}</div>`;
}

/** A day of UTC with the incidents that began on it. */
export function dayHtml(day: string, incidents: readonly PublicIncident[], names: Names): string {
  const shown = incidents.map((incident) => pastIncidentHtml(incident, names)).join("");
  return `<div class="day"><h3>${dateHtml(day)}</h3><div>${shown}</div></div>`;
}

/** `Major · Checkout · 21 Nov 2026, 04:04 UTC, for 12 minutes`. */
export function metaHtml({ severity, components, createdAt, resolvedAt, status }: PublicIncident, names: Names): string {
  const when =
    resolvedAt === null
      ? `since ${timeHtml(createdAt)}`
      : `${timeHtml(createdAt)}, for ${spanWords((resolvedAt.getTime() - createdAt.getTime()) / 1000)}`;
  const parts = [INCIDENT_WORDS[status], `${SEVERITY_WORDS[severity]} incident`, namesHtml(components, names), when];
  return `<p class="meta">${parts.filter((part) => part !== "").join(" · ")}</p>`;
}

export function timelineHtml(updates: readonly PublicUpdate[], mostCharacters = Infinity): string {
  const rows = updates.map(
    ({ at, status, message }) =>
      `<li><span class="at">${timeHtml(at)}</span><p><b>${INCIDENT_WORDS[status]}.</b> ${textHtml(shortened(message, mostCharacters))}</p></li>`,
  );
  return `<ol class="tl">${rows.join("")}</ol>`;
}

export function workHtml({ title, description, startsAt, endsAt, active, components }: PublicWork, names: Names): string {
  const when = active ? `Running now, until ${timeHtml(endsAt)}` : `${timeHtml(startsAt)} to ${timeHtml(endsAt)}`;
  const about = description === "" ? "" : `<p class="text" dir="auto">${escapeHtml(shortened(description, ON_FRONT.characters))}</p>`;
  return `<article class="item"><h3>${textHtml(title)}</h3><p class="meta">${[when, namesHtml(components, names)].filter((part) => part !== "").join(" · ")}</p>${about}</article>`;
}

function namesHtml(components: readonly number[], names: Names): string {
  const known = components.flatMap((id) => names.get(id) ?? []);
  const more = known.length - ON_FRONT.componentsNamed;
  const named = known.slice(0, ON_FRONT.componentsNamed).map(textHtml).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}

function shortened(text: string, most: number): string {
  const characters = text.length > most ? [...text] : [];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
