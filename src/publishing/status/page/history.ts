import { dayHtml, metaHtml, textHtml, timelineHtml, workHtml, MARKS } from "./incident-html.ts";
import { namesOf, type Projection, type PublicIncident, type PublicWork } from "./projection.ts";
import { renderDocument, renderName, SCRIPTED_HEAD } from "./shell.ts";
import { monthWords } from "./words.ts";

/** A page shows this many incidents of one month; the JSON and the feed are for programs. */
const MOST_SHOWN = 200;

export interface Month {
  /** `2026-11`. */
  month: string;
  /** Neighbours that have a page; null at the ends. */
  previous: string | null;
  next: string | null;
  incidents: readonly PublicIncident[];
  works: readonly PublicWork[];
}

/** The incidents and works of one month, the latest first. */
export function renderMonth(projection: Projection, { month, previous, next, incidents, works }: Month): string {
  const names = namesOf(projection);
  const days = Map.groupBy(incidents.slice(0, MOST_SHOWN), ({ createdAt }) => createdAt.toISOString().slice(0, 10));
  const rows = [...days].map(([day, mine]) => dayHtml(day, mine, names));
  const more = incidents.length - MOST_SHOWN;
  const none = rows.length === 0 ? `<p class="item meta">No incidents in this month.</p>` : "";
  const rest = more > 0 ? `<p class="item meta">And ${more} more.</p>` : "";
  const done =
    works.length === 0
      ? ""
      : `<section class="sec" aria-labelledby="h-work"><h2 id="h-work">Maintenance</h2>${works.map((work) => workHtml(work, names)).join("")}</section>`;
  const link = (to: string | null, rel: string): string =>
    to === null ? "<span></span>" : `<a rel="${rel}" href="/status/history?month=${to}">${monthWords(to)}</a>`;
  return besidePage(
    projection,
    monthWords(month),
    `<section class="sec" aria-labelledby="h-month"><h2 id="h-month">Incidents, ${monthWords(month)}</h2>${rows.join("")}${none}${rest}</section>${done}<nav class="months" aria-label="Months">${link(previous, "prev")}${link(next, "next")}</nav>`,
  );
}

/** All of one incident, under an address that stays. */
export function renderIncident(projection: Projection, incident: PublicIncident): string {
  return besidePage(
    projection,
    incident.title,
    `<article class="sec"><h2>Incident</h2><div class="item"><h3>${textHtml(incident.title)}</h3>${metaHtml(incident, namesOf(projection))}${timelineHtml(incident.updates.toReversed())}</div></article>`,
  );
}

/** What a browser is shown where nothing is. */
export function renderMissing(projection: Projection, what: string): string {
  return besidePage(projection, "Not found", `<section class="sec"><h2>Not found</h2><p class="item">${what}</p></section>`);
}

function besidePage(projection: Projection, title: string, body: string): string {
  return renderDocument({
    title,
    settings: projection,
    head: SCRIPTED_HEAD,
    body: `${MARKS}<div class="page"><header class="top"><h1>${renderName(projection, { href: "/status/" })}</h1></header><main>${body}</main><footer class="foot"><nav aria-label="More"><a href="/status/">Current status</a> · <a href="/status/history">History</a></nav><span class="sp"></span><span id="zone">All times are UTC</span></footer></div>`,
  });
}
