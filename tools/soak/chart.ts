import type { Judgement, Series } from "./judge.ts";
import type { Point } from "./trend.ts";

const WIDTH = 860;
const HEIGHT = 150;
const LEFT = 60;
const BOTTOM = 22;
const TOP = 8;

/** A page that needs nothing else: a panel for each series, its lives apart; red is a failure. */
export function drawChart(title: string, panels: readonly { series: Series; judgements: readonly Judgement[] }[]): string {
  const endMs = Math.max(1, ...panels.flatMap(({ series }) => series.lives.flatMap((life) => life.at(-1)?.atMs ?? 0)));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<style>body{font:14px/1.4 system-ui,sans-serif;margin:24px;color:#1c2430;background:#fff}h2{font-size:14px;margin:18px 0 2px}
p{margin:2px 0 0;color:#556}p.bad{color:#b3261e;font-weight:600}svg{display:block}text{font-size:11px;fill:#556}</style></head>
<body><h1 style="font-size:18px">${escape(title)}</h1>
${panels.map(({ series, judgements }) => drawPanel(series, judgements, endMs)).join("\n")}
</body></html>
`;
}

function drawPanel(series: Series, judgements: readonly Judgement[], endMs: number): string {
  const most = Math.max(1e-9, ...series.lives.flatMap((life) => life.map(({ value }) => value))) * 1.1;
  const x = (atMs: number): string => (LEFT + (atMs / endMs) * (WIDTH - LEFT - 10)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - (Math.max(0, value) / most) * (HEIGHT - BOTTOM - TOP)).toFixed(1);
  const failures = judgements.flatMap(({ over, failure }) => (failure === undefined ? [] : [`${over}: ${failure}`]));
  const color = failures.length > 0 ? "#b3261e" : "#1f6feb";
  const grid = [0, 0.5, 1].map((share) => {
    const value = (most / 1.1) * share;
    return `<line x1="${LEFT}" x2="${WIDTH - 10}" y1="${y(value)}" y2="${y(value)}" stroke="#dde3ea"/><text x="${LEFT - 6}" y="${y(value)}" dy="4" text-anchor="end">${value.toPrecision(3)}</text>`;
  });
  const hours = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => `<text x="${x(endMs * share)}" y="${HEIGHT - 6}" text-anchor="middle">${((endMs * share) / 60_000).toFixed(1)} min</text>`,
  );
  const lives = series.lives.map((life) => drawLife(life, x, y, color));
  return `<h2>${escape(series.unit === "" ? series.name : `${series.name} (${series.unit})`)}</h2>
<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escape(series.name)}">${grid.join("")}${hours.join("")}${lives.join("")}</svg>
${failures.length === 0 ? "" : `<p class="bad">${escape(failures.join("; "))}</p>`}`;
}

function drawLife(life: readonly Point[], x: (atMs: number) => string, y: (value: number) => string, color: string): string {
  const first = life[0];
  if (first === undefined) return "";
  const start = `<line x1="${x(first.atMs)}" x2="${x(first.atMs)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#c3ccd6" stroke-dasharray="2 3"/>`;
  const points = life.map(({ atMs, value }) => `${x(atMs)},${y(value)}`).join(" ");
  return `${start}<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${points}"/>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
