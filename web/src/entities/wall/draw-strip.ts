import { joinWords } from "../../../../src/contract/words.ts";
import type { StripList } from "../../../../src/publishing/overview/answers.ts";
import type { StripState } from "../../../../src/contract/strip.ts";
import { formatAge, formatLocal } from "../../format/time.ts";

/** A strip as paths in a box as wide as it has steps and {@link STRIP_HEIGHT} high, and in words. Time in which nothing was seen has no path. */
export interface DrawnStrip extends Record<Exclude<StripState, "unknown">, string> {
  /** `Last 24 h: down at 09:15 and 14:00, no data for 2 h`. */
  words: string;
}

type Runs = StripList["strips"][number]["runs"];

export const STRIP_HEIGHT = 12;
/** The worse, the higher: distinguished without colour. */
const HEIGHTS = { down: STRIP_HEIGHT, degraded: 7, up: 3, stopped: 1 } as const;
/** In steps of a whole day: what was down for one step is seen on a small screen too. */
const NARROWEST = { down: 2.5, degraded: 2.5, up: 0, stopped: 0 } as const;
const MOST_TIMES = 3;

/** By `container 1` and so on. */
export function drawStrips({ from, step_seconds: step, strips }: StripList, nowMs: number): Map<string, DrawnStrip> {
  const scale = { fromMs: Date.parse(from), stepMs: step * 1000, nowMs };
  return new Map(strips.map(({ type, id, runs }) => [stripKey({ type, id }), drawStrip(runs, scale)]));
}

function stripKey({ type, id }: { type: string; id: number }): string {
  return `${type} ${id}`;
}

interface Scale {
  fromMs: number;
  stepMs: number;
  nowMs: number;
  /** What the words begin with. */
  period?: string;
}

export function drawStrip(runs: Runs, scale: Scale): DrawnStrip {
  const paths = { down: "", degraded: "", up: "", stopped: "" };
  const total = stepsOf(runs);
  for (const { state, at, steps } of placed(runs)) {
    if (state === "unknown") continue;
    const width = Math.max(steps, NARROWEST[state]);
    const x = Math.max(0, Math.min(at, total - width));
    paths[state] += `M${x} ${STRIP_HEIGHT - HEIGHTS[state]}h${width}V${STRIP_HEIGHT}h${-width}z`;
  }
  return { ...paths, words: `${scale.period ?? "Last 24 h"}: ${wordsOf(runs, scale)}` };
}

function wordsOf(runs: Runs, { fromMs, stepMs, nowMs }: Scale): string {
  const all = placed(runs);
  const timesOf = (wanted: StripState): string | undefined => {
    const times = all
      .filter(({ state }) => state === wanted)
      .map(({ at }) => formatLocal(new Date(fromMs + at * stepMs).toISOString(), nowMs, "minute"));
    if (times.length === 0) return undefined;
    if (times.length <= MOST_TIMES) return `${wanted} at ${joinWords(times)}`;
    return `${wanted} ${times.length} times, last at ${times.at(-1)}`;
  };
  const unseen = stepsOf(runs.filter(({ state }) => state === "unknown"));
  if (unseen === stepsOf(runs)) return "no data";
  const known = [timesOf("down"), timesOf("degraded")].filter((words) => words !== undefined);
  if (known.length === 0) known.push(all.some(({ state }) => state === "up") ? "no outage" : "not running");
  if (unseen > 0) known.push(`no data for ${formatAge(unseen * stepMs)}`);
  return known.join(", ");
}

function stepsOf(runs: Runs): number {
  return runs.reduce((sum, { steps }) => sum + steps, 0);
}

function placed(runs: Runs): (Runs[number] & { at: number })[] {
  let at = 0;
  return runs.map((run) => {
    const here = { ...run, at };
    at += run.steps;
    return here;
  });
}
