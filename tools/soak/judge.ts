import { DAY_MS } from "../../src/contract/time.ts";
import { type JudgedKind, type Kind, ONE_LEVEL, RULES, WARM_UP } from "./rules.ts";
import { fitLine, type Line, type Point } from "./trend.ts";

/** Measurements of one thing; a new life begins with each start of its process. */
export interface Series {
  name: string;
  unit: string;
  kind: Kind;
  /** How much of a life is not judged, at most; by default that of a process under load. */
  warmUpMs?: number;
  lives: Point[][];
}

export interface Judgement {
  series: string;
  /** "life 2", or "from life to life". */
  over: string;
  /** Undefined when there was too little to fit one. */
  line: Line | undefined;
  /** Why it is a failure. */
  failure: string | undefined;
}

/** Judges each life by itself, after its warm-up, and the levels at which the lives end. */
export function judge({ name, unit, kind, warmUpMs = WARM_UP.mostMs, lives }: Series): Judgement[] {
  if (kind === "drawn only") return [];
  const judged = kind;
  const warm = lives.map((points) => withoutWarmUp(points, warmUpMs));
  const judgements = warm.map((points, life) => judgeLine(`life ${life + 1}`, kind === "size" ? excess(points) : points));
  if (ONE_LEVEL.includes(kind)) judgements.push(judgeLine("from life to life", warm.flatMap(lastLevel)));
  return judgements.filter(({ line }) => line !== undefined);

  function judgeLine(over: string, points: readonly Point[]): Judgement {
    const line = fitLine(points);
    return { series: name, over, line, failure: line === undefined ? undefined : findFailure(judged, line, unit) };
  }
}

/** Why a line is a failure, or undefined. */
function findFailure(kind: JudgedKind, { from, to, spanMs, fit }: Line, unit: string): string | undefined {
  const { leastFit, mostADay, forgiven, forgivenAmount } = RULES[kind];
  const growth = to - from;
  const share = forgiven.findLast(({ fromMinutes }) => spanMs >= fromMinutes * 60_000)?.share ?? 0;
  const aDay = (growth * DAY_MS) / spanMs;
  if (fit < leastFit || growth <= forgivenAmount || growth <= share * from) return undefined;
  if (mostADay !== null && aDay <= mostADay * from) return undefined;
  const minutes = (spanMs / 60_000).toFixed(1);
  return `a line from ${from.toFixed(1)} to ${to.toFixed(1)} ${unit} in ${minutes} min, ${aDay.toFixed(0)} ${unit} a day (fit ${fit.toFixed(2)})`;
}

function withoutWarmUp(points: readonly Point[], mostMs: number): Point[] {
  const beginMs = points[0]?.atMs ?? 0;
  const lifeMs = (points.at(-1)?.atMs ?? 0) - beginMs;
  const warmUpMs = Math.min(mostMs, lifeMs * WARM_UP.share);
  return points.filter(({ atMs }) => atMs - beginMs >= warmUpMs);
}

/** The level at which a life ended: the middle of its last tenth. */
function lastLevel(points: readonly Point[]): Point[] {
  const end = points.slice(-Math.max(1, Math.floor(points.length / 10))).toSorted((a, b) => a.value - b.value);
  const middle = end[Math.floor(end.length / 2)];
  return middle === undefined ? [] : [{ atMs: points.at(-1)?.atMs ?? 0, value: middle.value }];
}

/** What the second half grew by beyond the pace of the first. */
function excess(points: readonly Point[]): Point[] {
  const half = Math.floor(points.length / 2);
  const first = fitLine(points.slice(0, half));
  const begin = points[half];
  if (first === undefined || begin === undefined) return [];
  const pace = Math.max(0, first.to - first.from) / first.spanMs;
  return points.slice(half).map(({ atMs, value }) => ({ atMs, value: value - begin.value - pace * (atMs - begin.atMs) }));
}
