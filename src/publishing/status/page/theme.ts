/** The tokens of web/src/theme.css that this page uses, by name: light, dark. */
export const TOKENS = {
  bg: ["#fafaf8", "#0e1114"],
  surface: ["#ffffff", "#14181c"],
  sunken: ["#f3f3ef", "#0a0d0f"],
  line: ["#e7e6e1", "#21272d"],
  "line-strong": ["#d3d1ca", "#353d46"],
  ink: ["#1d1c1a", "#e6e9ec"],
  "ink-2": ["#5c5952", "#9ea8b2"],
  "ink-3": ["#6d6962", "#87919b"],
  ok: ["#217a4b", "#56c288"],
  degraded: ["#965800", "#e5a33d"],
  down: ["#c12d2a", "#f57e78"],
  idle: ["#6d6962", "#87919b"],
  maintenance: ["#6750c4", "#a996ff"],
  "ok-soft": ["#e5f3ea", "#12261b"],
  "degraded-soft": ["#faeed9", "#2a200f"],
  "down-soft": ["#fae8e7", "#2f1716"],
  "maintenance-soft": ["#eeebfb", "#1f1a36"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type Theme = 0 | 1;

/** Grounds on which the accent is written, in each theme. */
export const ACCENT_GROUNDS: readonly (readonly string[])[] = ([0, 1] as const).map((theme) => [
  TOKENS.bg[theme],
  TOKENS.surface[theme],
  TOKENS.sunken[theme],
]);

/** Custom properties for both themes. Print is always light. */
export function themeCss(accent: string): string {
  return `:root{color-scheme:light;${declarations(0, accent)}}@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${declarations(1, accent)}}}`;
}

function declarations(theme: Theme, accent: string): string {
  const { colour, on } = readableAccent(accent, ACCENT_GROUNDS[theme] ?? []);
  const tokens = Object.entries(TOKENS).map(([name, colours]) => `--${name}:${colours[theme]}`);
  return [...tokens, `--accent:${colour}`, `--on-accent:${on}`].join(";");
}

/** Contrast that text needs. Source: WCAG 2.2, 1.4.3, AA. */
export const READABLE = 4.5;

type Rgb = readonly [number, number, number];

/** The colour nearest to `accent` that can be read on all the grounds, and the one that can be read on it. All are `#rrggbb`. */
export function readableAccent(accent: string, grounds: readonly string[]): { colour: string; on: string } {
  const groundIsLight = grounds.every((ground) => luminance(parse(ground)) > 0.18);
  const away: Rgb = groundIsLight ? [0, 0, 0] : [255, 255, 255];
  const from = parse(accent);
  let colour = from;
  for (let step = 0; step <= 100 && !grounds.every((ground) => ratio(colour, parse(ground)) >= READABLE); step += 1) {
    colour = mix(from, away, step / 100);
  }
  const on = (["#ffffff", "#0b1220", "#000000"] as const).find((text) => ratio(colour, parse(text)) >= READABLE) ?? "#000000";
  return { colour: format(colour), on };
}

/** The contrast ratio of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  return ratio(parse(one), parse(other));
}

function ratio(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb {
  const between = (from: number, to: number): number => Math.round(from + (to - from) * share);
  return [between(r, toR), between(g, toG), between(b, toB)];
}

function parse(hex: string): Rgb {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function format(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The page's own rules; colours come from theme.ts. Short class names, since each row repeats them. */
export const STYLE = squeezed(`
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/20px Inter,system-ui,"Segoe UI",sans-serif;font-synthesis:none;overflow-wrap:anywhere}
.page{max-width:752px;margin:0 auto;padding:40px 16px 56px}
h1,h2,h3,h4,p,ul,ol,dl,dd{margin:0;padding:0}
ul,ol{list-style:none}
a{color:var(--accent);text-underline-offset:2px}
h1 a,h3 a,h4 a,.top a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
time,.num{font-variant-numeric:tabular-nums}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:not(:focus){position:absolute;left:-999px}
.top{display:flex;align-items:center;gap:12px;min-height:36px}
.top img{display:block;height:32px;max-width:160px;object-fit:contain}
h1,#banner h2{font-size:18px;font-weight:620;letter-spacing:-.01em}
h1{flex:1;line-height:24px}
.lead{margin-top:8px;color:var(--ink-2);max-width:60ch}
.i{flex:none;width:14px;height:14px;fill:currentColor}
.operational{color:var(--ok)}.degraded{color:var(--degraded)}.partial_outage,.major_outage{color:var(--down)}.maintenance{color:var(--maintenance)}.unknown{color:var(--idle)}
#banner{margin-top:28px;padding:16px 18px;border-radius:8px;display:flex;gap:12px;background:var(--ok-soft)}
#banner .i{display:block;width:18px;height:18px;margin-top:4px}
#banner.unknown{background:var(--line)}#banner.degraded{background:var(--degraded-soft)}#banner.partial_outage,#banner.major_outage{background:var(--down-soft)}#banner.maintenance{background:var(--maintenance-soft)}
#banner h2{line-height:26px;color:var(--ink)}
#banner p{font-size:13px;color:var(--ink-2)}
.sec{margin-top:36px}
.sec>h2,.gh,.c,.item,.day{border-bottom:1px solid var(--line)}
.sec>h2,.gh{display:flex;align-items:center;gap:12px;padding-bottom:8px;font-size:13px;font-weight:600;color:var(--ink-2)}
.gh{margin-top:28px}
.gh h3{flex:1;font-size:15px;font-weight:620;color:var(--ink)}
.sec>h2+.gh{margin-top:12px}
.c,.item{padding:14px 0}
.r{display:flex;align-items:center;gap:4px 12px;flex-wrap:wrap}
.n{flex:1 1 auto;font-weight:550;min-width:0}
.u{color:var(--ink-2);font-size:13px;font-variant-numeric:tabular-nums}
.s{display:inline-flex;align-items:center;gap:6px;font-size:13px;white-space:nowrap;font-weight:500}
.d{font-size:13px;color:var(--ink-2)}
.b{display:block;width:100%;height:28px;margin-top:10px}
.b path{fill:none;stroke:currentColor;stroke-dasharray:3 1}
.b .operational{stroke-width:44}.b .unknown{stroke-width:6;color:var(--line-strong)}.b .major_outage{stroke-width:56}.b .partial_outage{stroke-width:24}.b .degraded{stroke-width:18}.b .maintenance{stroke-width:22}
.x{display:flex;justify-content:space-between;margin-top:4px;font-size:12px;line-height:16px;color:var(--ink-3)}
.x::before{content:attr(data-n) " days ago" / ""}.x::after{content:"today" / ""}
.item h3,.item h4{font-size:15px;line-height:22px;font-weight:620}
.meta{font-size:13px;color:var(--ink-2)}
.tl{margin-top:12px;display:grid;gap:12px}
.tl li{display:grid;grid-template-columns:168px 1fr;gap:2px 16px}
.tl .at{font-size:13px;color:var(--ink-3)}
.tl p,.text{white-space:pre-line}
.day{padding:12px 0;display:grid;grid-template-columns:168px 1fr;gap:4px 16px}
.day>:first-child{font-size:13px;color:var(--ink-3);font-weight:400}
.day .none{color:var(--ink-3)}
.day .item{padding:0 0 12px;border:0}.day .item:last-child{padding:0}
.btn,button{font:inherit;font-weight:550;display:inline-block;padding:7px 14px;border-radius:6px;border:1px solid transparent;background:var(--accent);color:var(--on-accent);cursor:pointer;text-decoration:none}
summary.btn{list-style:none;background:none;color:var(--ink);border-color:var(--line-strong)}
summary.btn::-webkit-details-marker{display:none}
summary{cursor:pointer}
#updates{position:relative}
#updates form{position:absolute;z-index:2;right:0;top:44px;width:min(340px,calc(100vw - 32px));max-height:70vh;overflow:auto;padding:16px;background:var(--surface);border:1px solid var(--line-strong);border-radius:8px;box-shadow:0 8px 24px #0003}
label{display:block}
input:not([type=checkbox],[type=hidden]){font:inherit;width:100%;margin:4px 0 12px;padding:7px 10px;border-radius:6px;border:1px solid var(--ink-3);background:var(--bg);color:inherit}
fieldset{margin:0 0 12px;padding:0;border:0}legend{padding:0;font-size:13px;color:var(--ink-2)}
fieldset label{display:flex;gap:8px;align-items:baseline;padding:4px 0}
.hint{font-size:12px;line-height:18px;color:var(--ink-2);margin-bottom:12px}
[role=alert]{color:var(--down)}
.foot{margin-top:36px;display:flex;flex-wrap:wrap;gap:8px 20px;font-size:13px;color:var(--ink-3)}
.foot .sp{flex:1}
.months{display:flex;justify-content:space-between;gap:16px;margin-top:24px}
.small{max-width:440px}.small h1{margin:28px 0 12px;font-size:22px;line-height:30px}.small p,.small form{margin-bottom:16px}
#tip{position:absolute;z-index:3;max-width:240px;padding:8px 10px;border-radius:6px;background:var(--surface);border:1px solid var(--line-strong);box-shadow:0 4px 16px #0002;font-size:12px;line-height:18px;pointer-events:none}
.changed{animation:tint 1.2s ease-out}
@keyframes tint{from{background:var(--line)}}
.embed .page{padding:12px 16px}.embed #banner{margin-top:0}.embed .sec{margin-top:20px}.embed .b,.embed .x,.embed .u,.embed .d{display:none}.embed .c{padding:8px 0}
@media (max-width:520px){h1 a,h3 a,h4 a{position:relative;display:inline-block;padding-block:11px;margin-block:-11px;min-width:40px}.page{padding-top:20px}.tl li,.day{grid-template-columns:1fr}#banner{margin-top:20px;padding:14px}}
@media (prefers-reduced-motion:reduce){.changed{animation:none}}
@media (forced-colors:active){.b path{stroke:CanvasText}#banner{border:1px solid}}
@media print{.page{max-width:none;padding:0}#updates,.foot nav,.months,.skip{display:none}.b,#banner{print-color-adjust:exact;-webkit-print-color-adjust:exact}.c,.item,.day{break-inside:avoid}a{color:inherit}}
`);

function squeezed(css: string): string {
  return css.trim().replaceAll("\n", "");
}
