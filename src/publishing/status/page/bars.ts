import { escapeHtml } from "../../../http/page.ts";
import type { Day } from "../vocabulary.ts";
import type { PublicComponent } from "./projection.ts";
import { percentWords, shortDay, type ShownStatus, spanWords, STATUS_WORDS } from "./words.ts";

/**
 * Where the bars of a status stand: the middles of their bands; style.ts says how thick those are. Each status has an outline of its own: an outage is
 * taller than the rest, a part of one has a gap, maintenance is low, and a day of which nothing is known a stub.
 */
const MIDDLES: Record<ShownStatus, readonly number[]> = {
  operational: [34],
  degraded: [21, 47],
  partial_outage: [12, 44],
  major_outage: [28],
  maintenance: [45],
  unknown: [53],
};

/** Letters of the days, for the script's hints. */
const LETTERS: Record<ShownStatus, string> = {
  operational: "o",
  degraded: "d",
  partial_outage: "p",
  major_outage: "m",
  maintenance: "w",
  unknown: "-",
};

/** How many days are told of by name in the text alternative. */
const MOST_TOLD = 4;

/**
 * The days of a component as a strip of bars. A run of days alike is one stroke, whose dashes are the bars, so that a strip takes hundreds of bytes and
 * not ten thousand. The same is said in its label.
 */
export function barsHtml({ days, uptime }: Pick<PublicComponent, "days" | "uptime">): string {
  if (days.length === 0) return "";
  const strokes = new Map<ShownStatus, string>();
  for (const { status, from, count } of runsOf(days)) {
    const subpaths = MIDDLES[status].map((middle) => `M${from * 4} ${middle}h${count * 4 - 1}`).join("");
    strokes.set(status, (strokes.get(status) ?? "") + subpaths);
  }
  const paths = [...strokes].map(([status, d]) => `<path class="${status}" d="${d}"/>`).join("");
  const letters = days.map(({ worst }) => LETTERS[worst ?? "unknown"]).join("");
  const outages = days.flatMap(({ outageSeconds }, index) => (outageSeconds > 0 ? [`${index}:${outageSeconds}`] : [])).join(" ");
  const data = `data-d="${letters}"${outages === "" ? "" : ` data-o="${outages}"`}`;
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
  const lines = bad.slice(0, MOST_TOLD).map(({ date, worst, outageSeconds }) => {
    const out = outageSeconds > 0 ? `, ${spanWords(outageSeconds)} out` : "";
    return `${shortDay(date)}: ${STATUS_WORDS[worst ?? "unknown"].toLowerCase()}${out}.`;
  });
  const more = bad.length - lines.length;
  return [head, ...lines, ...(more > 0 ? [`And ${more} more ${more === 1 ? "day" : "days"}.`] : [])].join(" ");
}
