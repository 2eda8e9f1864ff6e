import { escapeHtml } from "../../../http/page.ts";
import { FONT_URL, SCRIPT_VERSION } from "./assets.ts";
import { themeCss, STYLE } from "./theme.ts";

/** What the head of every page shows. */
export interface ShellSettings {
  title: string;
  /** #rrggbb. */
  accent: string;
  logo: { version: string } | null;
  homepageUrl: string | null;
}

export interface Shell {
  /** Of the document; the page's own title is added. */
  title?: string | undefined;
  settings: ShellSettings;
  /** HTML. */
  body: string;
  /** HTML for the document's head. */
  head?: string;
  /** Of the body element: `small`, `embed`. */
  kind?: string;
  /** Of the html element, as HTML. */
  attributes?: string;
}

/** Optional: text is never drawn again in another font, which would move what stands below it. */
const FONT_FACE = `@font-face{font-family:Inter;font-weight:100 900;font-display:optional;src:url(${FONT_URL})}`;

/** What the head of a page with a script has. */
export const SCRIPTED_HEAD = `<link rel="icon" type="image/svg+xml" href="/status/icon.svg">\n<script src="/status/app.js?v=${SCRIPT_VERSION}" defer></script>\n`;

/** A document in the layout of the status page; `body` is HTML, everything else is text. Complete without a script. */
export function renderDocument({ title, settings, body, head = "", kind = "", attributes = "" }: Shell): string {
  const name = escapeHtml(title === undefined ? settings.title : `${title} · ${settings.title}`);
  return `<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${name}</title>
<link rel="preload" href="${FONT_URL}" as="font" crossorigin>
${head}<style>${FONT_FACE}${themeCss(settings.accent)}${STYLE}</style>
</head>
<body${kind === "" ? "" : ` class="${kind}"`}>${body}</body>
</html>
`;
}

/** A small page beside the status page, for one message or form. `body` is HTML. */
export function renderStatusShell({ title, body, settings }: { title: string; body: string; settings: ShellSettings }): string {
  return renderDocument({
    title,
    settings,
    kind: "small",
    // Other sites must not see personal links. Our own forms need to send their origin, which `no-referrer` would hide.
    head: `<meta name="robots" content="noindex">\n<meta name="referrer" content="same-origin">\n`,
    body: `<div class="page"><header class="top">${renderName(settings, { href: "/status/" })}</header><main>${body}</main></div>`,
  });
}

/** Logo and title, which lead to `href`. */
export function renderName({ title, logo }: ShellSettings, { href }: { href: string | null }): string {
  const image = logo === null ? "" : `<img src="/status/logo?v=${logo.version}" alt="">`;
  const inner = `<bdi>${escapeHtml(title)}</bdi>`;
  return href === null ? `${image}${inner}` : `${image}<a href="${escapeHtml(href)}">${inner}</a>`;
}
