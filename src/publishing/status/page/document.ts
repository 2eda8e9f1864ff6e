import { createHash } from "node:crypto";
import { escapeHtml } from "../../../http/page.ts";
import { textHtml, MARKS } from "./incident-html.ts";
import type { Parts } from "./parts.ts";
import { componentsOf, type Projection } from "./projection.ts";
import { renderDocument, renderName, SCRIPTED_HEAD } from "./shell.ts";
import { sentenceOf } from "./words.ts";

export interface Documents {
  /** Changes with anything that can be seen. */
  version: string;
  /** Changes with what the parts do not hold: head and form. Open pages must be reloaded then. */
  frame: string;
  page: string;
  embed: string;
}

export interface DocumentOptions {
  canSubscribe: boolean;
  isDemo: boolean;
  /** Of the page, absolute. */
  url: string;
}

const DEMO = `<p class="hint"><strong>Demo.</strong> All data on this page is made up.</p>\n`;
/** Where changes are announced to screen readers. */
const LIVE = `<p id="live" class="vh" role="status"></p>`;

/** The public page and its compact form for frames of other sites. */
export function renderDocuments(projection: Projection, parts: Parts, { canSubscribe, isDemo, url }: DocumentOptions): Documents {
  const demo = isDemo ? DEMO : "";
  const top = demo + topHtml(projection, canSubscribe);
  const foot = footHtml(projection);
  const look = [projection.accent, projection.title, projection.logo?.version];
  const frame = digest(JSON.stringify([top, foot, look]));
  const version = digest([frame, ...parts.sections.values()].join("\n"));
  const { message } = sentenceOf(projection);
  const head =
    `<meta name="description" content="${escapeHtml(projection.description === "" ? message : projection.description)}">\n` +
    `<link rel="canonical" href="${escapeHtml(url)}">\n` +
    `<link rel="alternate" type="application/atom+xml" title="Incidents" href="/status/feed.atom">\n${SCRIPTED_HEAD}`;
  const shared = { settings: projection, head, attributes: ` data-v="${version}" data-f="${frame}"` };
  const section = (id: string): string => parts.sections.get(id) ?? "";
  const sections = [...parts.sections.values()].join("\n");
  const page = renderDocument({
    ...shared,
    body: `${MARKS}<a class="skip" href="#services">To the services</a><div class="page">${top}<main>\n${sections}\n</main>\n${foot}</div>${LIVE}`,
  });
  const embed = renderDocument({
    ...shared,
    kind: "embed",
    head: `<base target="_blank">\n${head}`,
    body: `${MARKS}<main class="page"><h1 class="vh">${textHtml(projection.title)}</h1>\n${demo}${section("banner")}\n${section("services")}\n</main>${LIVE}`,
  });
  return { version, frame, page, embed };
}

function topHtml(projection: Projection, canSubscribe: boolean): string {
  const lead = projection.description === "" ? "" : `<p class="lead">${textHtml(projection.description)}</p>`;
  const form = canSubscribe ? formHtml(projection) : "";
  return `<header><div class="top"><h1>${renderName(projection, { href: projection.homepageUrl })}</h1>${form}</div>${lead}</header>`;
}

function formHtml(projection: Projection): string {
  const boxes = componentsOf(projection).map(
    ({ id, name }) => `<label><input type="checkbox" name="component-${id}">${textHtml(name)}</label>`,
  );
  const choice =
    boxes.length < 2
      ? ""
      : `<details><summary>Choose services</summary><fieldset><legend>None selected: all services</legend>${boxes.join("")}</fieldset></details>`;
  return (
    `<details id="updates"><summary class="btn">Get updates</summary><form method="post" action="/status/subscribe">` +
    `<label>E-mail address<input type="email" name="email" required maxlength="254" autocomplete="email"></label>${choice}` +
    `<p class="hint">You will get an email with a confirmation link. You can unsubscribe at any time.</p><button>Subscribe</button></form></details>`
  );
}

function footHtml({ supportUrl }: Projection): string {
  const support = supportUrl === null ? "" : `<a href="${escapeHtml(supportUrl)}">Support</a>`;
  return `<footer class="foot"><nav aria-label="More"><a href="/status/history">History</a> · <a href="/status/feed.atom">Atom</a> · <a href="/status/api">JSON</a>${support === "" ? "" : ` · ${support}`}</nav><span class="sp"></span><span id="zone">All times are UTC</span></footer>`;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
