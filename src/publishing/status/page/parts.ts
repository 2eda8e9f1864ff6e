import { DAY_MS } from "../../../contract/time.ts";
import { escapeHtml } from "../../../http/page.ts";
import { dayHtml, openIncidentHtml, textHtml, workHtml, mark, statusHtml } from "./incident-html.ts";
import type { Day } from "../vocabulary.ts";
import { type Names, namesOf, type Projection, type PublicComponent, type PublicGroup, type PublicIncident } from "./projection.ts";
import {
  counted,
  dateHtml,
  percentWords,
  sentenceOf,
  shortDay,
  shownStatus,
  timeHtml,
  type ShownStatus,
  spanWords,
  STATUS_WORDS,
} from "./words.ts";

/** The page in parts, each with the id of its element: what changed is sent to open pages part by part. */
export interface Parts {
  /** By id, in the order of the page. */
  sections: ReadonlyMap<string, string>;
  /** Parts within the section `services`. */
  rows: ReadonlyMap<string, string>;
}

const PAST_DAYS = 15;
const MOST = { open: 10, past: 20, works: 10 } as const;

/** `today` is the moment from which the past days are counted. */
export function renderParts(projection: Projection, today: Date): Parts {
  const names = namesOf(projection);
  const rows = new Map<string, string>();
  for (const group of projection.groups) {
    if (group.id !== null) rows.set(`g-${group.id}`, groupHead(group));
    for (const component of group.components) rows.set(`c-${component.id}`, componentRow(component));
  }
  const sections = new Map([
    ["banner", bannerHtml(projection)],
    ["incidents", incidentsHtml(projection.incidents, names)],
    ["work", worksHtml(projection, names)],
    ["services", servicesHtml(projection, rows)],
    ["past", pastHtml(projection.incidents, names, today)],
  ]);
  return { sections, rows };
}

/** The elements to put in place of those with the same ids, so that `before` becomes `after`. */
export function changedParts(before: Parts, after: Parts): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const [id, html] of after.sections) {
    if (before.sections.get(id) === html) continue;
    if (id === "services" && sameKeys(before.rows, after.rows)) {
      for (const [row, rowHtml] of after.rows) if (before.rows.get(row) !== rowHtml) changed[row] = rowHtml;
    } else changed[id] = html;
  }
  return changed;
}

function sameKeys(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return [...one.keys()].join() === [...other.keys()].join();
}

function bannerHtml(projection: Projection): string {
  const { message, since, affected, total } = sentenceOf(projection);
  const open = projection.incidents.filter(({ resolvedAt }) => resolvedAt === null).length;
  const facts = [
    ...(since === undefined ? [] : [`since ${timeHtml(since).replace("<time ", "<time data-ago ")}`]),
    ...(affected > 0 && total > 1 ? [`${affected} of ${total} services affected`] : []),
    ...(open > 0 && affected === 0 ? [`${counted(open, "open incident")}`] : []),
  ];
  const status = shownStatus(projection);
  return `<section id="banner" class="${status}" aria-labelledby="state"><span class="${status}">${mark(status)}</span><div><h2 id="state">${textHtml(message)}</h2>${facts.length === 0 ? "" : `<p>${facts.join(" · ")}</p>`}</div></section>`;
}

function incidentsHtml(incidents: readonly PublicIncident[], names: Names): string {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  if (open.length === 0) return `<div id="incidents"></div>`;
  const more = open.length - MOST.open;
  const rest = more > 0 ? `<p class="item"><a href="/status/history">${counted(more, "more open incident")}</a></p>` : "";
  return `<section id="incidents" class="sec" aria-labelledby="h-incidents"><h2 id="h-incidents">${open.length === 1 ? "Incident" : "Incidents"}</h2>${open
    .slice(0, MOST.open)
    .map((incident) => openIncidentHtml(incident, names))
    .join("")}${rest}</section>`;
}

function worksHtml({ works }: Projection, names: Names): string {
  const upcoming = works.filter(({ isOver }) => !isOver).slice(0, MOST.works);
  if (upcoming.length === 0) return `<div id="work"></div>`;
  const title = upcoming.some(({ active }) => active) ? "Maintenance" : "Planned maintenance";
  return `<section id="work" class="sec" aria-labelledby="h-work"><h2 id="h-work">${title}</h2>${upcoming.map((work) => workHtml(work, names)).join("")}</section>`;
}

function servicesHtml({ groups }: Projection, rows: ReadonlyMap<string, string>): string {
  const row = (id: string): string => rows.get(id) ?? "";
  const lists = groups.map(({ id, components }) => {
    const list = `<ul>${components.map((component) => row(`c-${component.id}`)).join("")}</ul>`;
    return id === null ? list : `<section aria-labelledby="h-${id}">${row(`g-${id}`)}${list}</section>`;
  });
  const body = lists.length === 0 ? `<p class="item meta">No services are listed yet.</p>` : lists.join("");
  return `<section id="services" class="sec" aria-labelledby="h-services"><h2 id="h-services">Services</h2>${body}</section>`;
}

function groupHead(group: PublicGroup): string {
  const { id, name } = group;
  return `<div class="gh" id="g-${id}"><h3 id="h-${id}">${textHtml(name)}</h3>${statusHtml(group)}</div>`;
}

function componentRow(component: PublicComponent): string {
  const { id, name, description, uptime, isNew, trackedSince, days } = component;
  const share = isNew
    ? `Added ${timeHtml(trackedSince).replace("<time ", "<time data-age ")}`
    : uptime === null
      ? ""
      : percentWords(uptime) + spanHtml(days);
  const figure = share === "" ? "" : `<span class="u">${share}</span>`;
  const about = description === "" ? "" : `<p class="d">${textHtml(description)}</p>`;
  return `<li class="c" id="c-${id}"><div class="r"><span class="n">${textHtml(name)}</span>${figure}${statusHtml(component)}</div>${about}${barsHtml(component)}</li>`;
}

/** A figure of fewer days than the strip has says so. */
function spanHtml(days: readonly Day[]): string {
  const known = days.filter(({ uptime }) => uptime !== null).length;
  return known === days.length ? "" : ` over ${counted(known, "day")}`;
}

/** The last days with what began on them, open or over; those on which nothing did put together. */
function pastHtml(incidents: readonly PublicIncident[], names: Names, today: Date): string {
  const all = incidents.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const shown = all.slice(0, MOST.past);
  const byDay = Map.groupBy(shown, ({ createdAt }) => dayOf(createdAt));
  // Days before the oldest one that is shown must not read as free of incidents.
  const from = all.length > shown.length ? dayOf(shown.at(-1)?.createdAt ?? today) : "";
  const recent = Array.from({ length: PAST_DAYS }, (_, back) => dayOf(new Date(today.getTime() - back * DAY_MS)));
  const days = recent.filter((day) => day >= from);
  const earlier = [...byDay.keys()].filter((day) => !days.includes(day));
  const rows: string[] = [];
  let uneventful: string[] = [];
  const flushUneventful = (): void => {
    if (uneventful.length > 0) rows.push(uneventfulHtml(uneventful));
    uneventful = [];
  };
  for (const day of [...days, ...earlier]) {
    const mine = byDay.get(day);
    if (mine === undefined) uneventful.push(day);
    else {
      flushUneventful();
      rows.push(dayHtml(day, mine, names));
    }
  }
  flushUneventful();
  if (from !== "") rows.push(`<p class="item"><a href="/status/history">All incidents of this month</a></p>`);
  return `<section id="past" class="sec" aria-labelledby="h-past"><h2 id="h-past">Past ${PAST_DAYS} days</h2>${rows.join("")}</section>`;
}

/** `days` are consecutive, the latest first. */
function uneventfulHtml(days: readonly string[]): string {
  const [last = "", first = last] = [days[0], days.at(-1)];
  const sameMonth = first.slice(0, 7) === last.slice(0, 7);
  const from = `<time datetime="${first}">${sameMonth ? Number(first.slice(8)) : shortDay(first)}</time>`;
  const range = first === last ? dateHtml(last) : `${from} to ${dateHtml(last)}`;
  return `<div class="day"><h3>${range}</h3><p class="none">No incidents.</p></div>`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The middles of each status's bands of bars; theme.ts says how thick they are. Each status has its own outline, so that colour is not needed. */
const MIDDLES: Record<ShownStatus, readonly number[]> = {
  operational: [34],
  degraded: [21, 47],
  partial_outage: [12, 44],
  major_outage: [28],
  maintenance: [45],
  unknown: [53],
};

/** One character per status, for the script's tooltips. */
const STATUS_CODES: Record<ShownStatus, string> = {
  operational: "o",
  degraded: "d",
  partial_outage: "p",
  major_outage: "m",
  maintenance: "w",
  unknown: "-",
};

/** How many days are named in the text alternative. */
const MAX_NAMED_DAYS = 4;

/** The days of a component as a strip of bars. A run of days alike is one stroke with dashes, so that a strip takes hundreds of bytes. */
export function barsHtml({ days, uptime }: Pick<PublicComponent, "days" | "uptime">): string {
  if (days.length === 0) return "";
  const strokes = new Map<ShownStatus, string>();
  for (const { status, from, count } of runsOf(days)) {
    const subpaths = MIDDLES[status].map((middle) => `M${from * 4} ${middle}h${count * 4 - 1}`).join("");
    strokes.set(status, (strokes.get(status) ?? "") + subpaths);
  }
  const paths = [...strokes].map(([status, d]) => `<path class="${status}" d="${d}"/>`).join("");
  const codes = days.map(({ worst }) => STATUS_CODES[worst ?? "unknown"]).join("");
  const outages = days.flatMap(({ outageSeconds }, index) => (outageSeconds > 0 ? [`${index}:${outageSeconds}`] : [])).join(" ");
  const data = `data-d="${codes}"${outages === "" ? "" : ` data-o="${outages}"`}`;
  return (
    `<svg class="b" viewBox="0 0 ${days.length * 4 - 1} 56" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(labelOf({ days, uptime }))}" ${data}>${paths}</svg>` +
    `<div class="x" data-n="${days.length}"></div>`
  );
}

function runsOf(days: readonly Day[]): { status: ShownStatus; from: number; count: number }[] {
  const runs: { status: ShownStatus; from: number; count: number }[] = [];
  days.forEach(({ worst }, index) => {
    const status = worst ?? "unknown";
    const last = runs.at(-1);
    if (last?.status === status) last.count += 1;
    else runs.push({ status, from: index, count: 1 });
  });
  return runs;
}

/** The strip in words: `Last 90 days: 99.81 % uptime. 12 Nov: major outage, 14 minutes.` The latest days first. */
function labelOf({ days, uptime }: Pick<PublicComponent, "days" | "uptime">): string {
  const known = days.filter(({ worst }) => worst !== null);
  const unknown = known.length === 0 ? "uptime unknown" : "too new for an uptime";
  const head = `Last ${days.length} days: ${uptime === null ? unknown : `${percentWords(uptime)} uptime`}.`;
  if (known.length === 0) return head;
  const bad = known.filter(({ worst }) => worst !== "operational").toReversed();
  if (bad.length === 0) return `${head} No outages.`;
  const lines = bad.slice(0, MAX_NAMED_DAYS).map(({ date, worst, outageSeconds }) => {
    const out = outageSeconds > 0 ? `, ${spanWords(outageSeconds)} out` : "";
    return `${shortDay(date)}: ${STATUS_WORDS[worst ?? "unknown"].toLowerCase()}${out}.`;
  });
  const more = bad.length - lines.length;
  return [head, ...lines, ...(more > 0 ? [`And ${counted(more, "more day")}.`] : [])].join(" ");
}
