import type { PublicComponent } from "./projection.ts";
import { type ShownStatus, shownStatus, STATUS_WORDS } from "./words.ts";

/** Each status has a shape of its own, so that it is never told by colour alone. 12 units square. */
const SHAPES: Record<ShownStatus, string> = {
  operational: `<circle cx="6" cy="6" r="4.5"/>`,
  degraded: `<path d="M6 1.5a4.5 4.5 0 0 0 0 9z"/><circle cx="6" cy="6" r="4" fill="none" stroke="currentColor"/>`,
  partial_outage: `<path fill-rule="evenodd" d="M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M3.5 5.2v1.6h5V5.2z"/>`,
  major_outage: `<path d="M2.5 2.5l7 7M9.5 2.5l-7 7" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>`,
  maintenance: `<path d="M2.5 9.5l4-4M8.8 2.2a2.6 2.6 0 0 0-3 3.4M9.8 3.2a2.6 2.6 0 0 1-3.4 3" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>`,
  unknown: `<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.4"/>`,
};

/** The shapes, once in a document. */
export const MARKS = `<svg width="0" height="0" hidden>${Object.entries(SHAPES)
  .map(([status, shape]) => `<symbol id="i-${status}" viewBox="0 0 12 12">${shape}</symbol>`)
  .join("")}</svg>`;

export function mark(status: ShownStatus): string {
  return `<svg class="i" aria-hidden="true"><use href="#i-${status}"/></svg>`;
}

export function statusHtml(of: Pick<PublicComponent, "status" | "observed">): string {
  const status = shownStatus(of);
  return `<span class="s ${status}">${mark(status)}${STATUS_WORDS[status]}</span>`;
}
