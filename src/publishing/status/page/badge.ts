import { escapeHtml } from "../../../http/page.ts";
import { type ShownStatus, STATUS_WORDS } from "./words.ts";

/** White is read on all of them, AA. */
const COLOURS: Record<ShownStatus, string> = {
  operational: "#217a4b",
  degraded: "#965800",
  partial_outage: "#c12d2a",
  major_outage: "#c12d2a",
  maintenance: "#6750c4",
  unknown: "#6d6962",
};

const PADDING = 7;
const MOST_CHARACTERS = 40;

/** A small picture of a status for pages elsewhere: a label and the status as a word. */
export function renderBadge(label: string, status: ShownStatus): string {
  const name = label.length > MOST_CHARACTERS ? `${[...label].slice(0, MOST_CHARACTERS - 1).join("")}…` : label;
  const word = STATUS_WORDS[status].toLowerCase();
  const [left, right] = [widthOf(name) + 2 * PADDING, widthOf(word) + 2 * PADDING];
  const text = (content: string, x: number, width: number): string =>
    `<text x="${x}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(content)}</text>`;
  const total = left + right;
  const title = escapeHtml(`${name}: ${word}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" role="img" aria-label="${title}"><title>${title}</title>` +
    `<clipPath id="r"><rect width="${total}" height="20" rx="3"/></clipPath>` +
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3d3b38"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[status]}"/></g>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(name, PADDING, left)}${text(word, left + PADDING, right)}</g></svg>`
  );
}

/** The page's icon in a browser's tab: the colour and the shape of its status. */
export function renderIcon(status: ShownStatus): string {
  const shapes: Record<ShownStatus, string> = {
    operational: `<path d="M9 16.5l5 5 9-10"/>`,
    degraded: `<path d="M16 9v9M16 23v.01"/>`,
    partial_outage: `<path d="M9 16h14"/>`,
    major_outage: `<path d="M10 10l12 12M22 10L10 22"/>`,
    maintenance: `<path d="M12 10v12M20 10v12"/>`,
    unknown: `<path d="M12 12.5a4 4 0 1 1 5.5 3.7c-1 .5-1.5 1.2-1.5 2.3M16 23v.01"/>`,
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${COLOURS[status]}"/><g fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round">${shapes[status]}</g></svg>`;
}

/** About as wide as 11 px Verdana; the text is fitted to it. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[\u1100-\u{10ffff}]/u.test(character) && character !== "…") width += 11;
    else if (/[ijl.,:;|!'I ]/.test(character)) width += 4;
    else if (/[mwMW@]/.test(character)) width += 10;
    else width += /[A-Z]/.test(character) ? 7.8 : 6.6;
  }
  return Math.round(width);
}
