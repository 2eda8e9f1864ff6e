/** What an image did in a stretch of time; null is what was not observed. */
export interface Figures {
  restartsPerDay: number | null;
  failedChecksPercent: number | null;
  /** Of the checks that succeeded: the mean of the endpoints' medians. */
  responseTimeMs: number | null;
  cpuCoresUsed: number | null;
  memoryBytes: number | null;
}

/** How much stands behind the figures. */
export interface Sizes {
  restarts: number;
  /** Watched. */
  days: number;
  checks: number;
  failures: number;
  /** Checks that say how long an answer took. */
  answers: number;
  /** Of measured resources. */
  minutes: number;
}

export interface Observed {
  figures: Figures;
  sizes: Sizes;
}

/** `state`: it does not run, is unhealthy, or restarted soon after the change. */
export type FigureName = "state" | "restarts" | "failed_checks" | "response_time" | "cpu" | "memory";

/** A figure that differs so much that it means something. */
export interface Change {
  figure: FigureName;
  worse: boolean;
  /** What it is and was. */
  text: string;
}

export type Verdict = "unchanged" | "better" | "worse" | "unknown";

/** What the figures of an evaluation show. */
export interface Judgement {
  verdict: Verdict;
  changes: readonly Change[];
  /** The figures that were observed of the new image. */
  seen: readonly FigureName[];
}

/** When a figure counts as higher: by so much, and by this factor, and with this much behind it. Lower is the same the other way round. */
interface Rule {
  figure: FigureName;
  of(figures: Figures): number | null;
  /** What must stand behind the figure on both sides for them to be compared. */
  least: { of: keyof Sizes; count: number } | null;
  /** The higher figure is at least so many times the lower. */
  factor: number;
  /** And higher by at least so much, in the figure's own unit. */
  floor: number;
  /** A further condition. */
  alsoRequires?(higher: Observed, lower: Observed): boolean;
  text(after: Observed, before: Observed): string;
}

const MEGABYTE = 1_000_000;

/** Restarts, failures: fewer are chance. */
const LEAST_RESTARTS = 2;

const LEAST_FAILURES = 3;

/** Each difference must be large beside what was, and large by itself, so that noise alarms nobody. */
export const RULES: readonly Rule[] = [
  {
    figure: "restarts",
    of: ({ restartsPerDay }) => restartsPerDay,
    least: null,
    factor: 2,
    floor: 0,
    // Held against as many as the other side would have had in the same time.
    alsoRequires: (higher, lower) => higher.sizes.restarts - (lower.figures.restartsPerDay ?? 0) * higher.sizes.days >= LEAST_RESTARTS,
    text: restartsText,
  },
  {
    figure: "failed_checks",
    of: ({ failedChecksPercent }) => failedChecksPercent,
    least: { of: "checks", count: 10 },
    factor: 1.5,
    floor: 2,
    alsoRequires: (higher) => higher.sizes.failures >= LEAST_FAILURES,
    text: (after, before) =>
      `failed checks ${percentText(after.figures.failedChecksPercent)}, was ${percentText(before.figures.failedChecksPercent)}`,
  },
  {
    figure: "response_time",
    of: ({ responseTimeMs }) => responseTimeMs,
    least: { of: "answers", count: 20 },
    factor: 1.5,
    floor: 50,
    text: (after, before) => `response time ${timeText(after.figures.responseTimeMs)}, was ${timeText(before.figures.responseTimeMs)}`,
  },
  {
    figure: "cpu",
    of: ({ cpuCoresUsed }) => cpuCoresUsed,
    least: { of: "minutes", count: 5 },
    factor: 1.5,
    floor: 0.1,
    text: (after, before) => `CPU ${cpuText(after.figures.cpuCoresUsed)}, was ${cpuText(before.figures.cpuCoresUsed)}`,
  },
  {
    figure: "memory",
    of: ({ memoryBytes }) => memoryBytes,
    least: { of: "minutes", count: 5 },
    factor: 1.3,
    floor: 50 * MEGABYTE,
    text: (after, before) => `memory ${memoryText(after.figures.memoryBytes)}, was ${memoryText(before.figures.memoryBytes)}`,
  },
];

/** What differs between how it was and how it is. One figure that is worse makes it worse; unknown when none could be compared. */
export function verdictOf(before: Observed, after: Observed): Judgement {
  const changes: Change[] = [];
  let compared = 0;
  for (const rule of RULES) {
    if (!isComparable(rule, before) || !isComparable(rule, after)) continue;
    compared += 1;
    const worse = isHigher(rule, after, before);
    if (worse || isHigher(rule, before, after)) changes.push({ figure: rule.figure, worse, text: rule.text(after, before) });
  }
  const verdict = compared === 0 ? "unknown" : changes.some(({ worse }) => worse) ? "worse" : changes.length > 0 ? "better" : "unchanged";
  return { verdict, changes, seen: RULES.filter((rule) => isComparable(rule, after)).map(({ figure }) => figure) };
}

/** What was worse and was not observed since: only a figure that is seen shows that it is not worse any more. Source: contract, section 19. */
export function stillWorse(known: readonly Change[], seen: readonly FigureName[]): Change[] {
  return known.filter(({ figure, worse }) => worse && !seen.includes(figure));
}

function isComparable({ of, least }: Rule, { figures, sizes }: Observed): boolean {
  return of(figures) !== null && (least === null || sizes[least.of] >= least.count);
}

function isHigher({ of, factor, floor, alsoRequires }: Rule, higher: Observed, lower: Observed): boolean {
  const high = of(higher.figures) ?? 0;
  const low = of(lower.figures) ?? 0;
  return high > low && high - low >= floor && high >= low * factor && (alsoRequires?.(higher, lower) ?? true);
}

/** What is worse, as one sentence; null when nothing is. */
export function regressionMessage(name: string, changes: readonly Change[]): string | null {
  const worse = changes.filter((change) => change.worse).map(({ text }) => text);
  return worse.length === 0 ? null : `${name} performs worse since its image changed: ${worse.join("; ")}.`;
}

/** Counted, since a rate of a quarter of an hour would be of a day that nobody saw. */
function restartsText(after: Observed, before: Observed): string {
  const was = (before.figures.restartsPerDay ?? 0) * after.sizes.days;
  return `restarts ${after.sizes.restarts} in ${durationText(after.sizes.days)}, was ${trimmed(was, was < 10 ? 1 : 0)}`;
}

function memoryText(bytes: number | null): string {
  const mebibytes = (bytes ?? 0) / 1024 ** 2;
  if (mebibytes >= 1024) return `${trimmed(mebibytes / 1024, 2)} GiB`;
  return mebibytes >= 1 ? `${trimmed(mebibytes, mebibytes < 10 ? 1 : 0)} MiB` : `${trimmed(mebibytes * 1024, 0)} KiB`;
}

function cpuText(cores: number | null): string {
  return `${trimmed(cores ?? 0, 2)} cores`;
}

function timeText(milliseconds: number | null): string {
  const value = milliseconds ?? 0;
  return value >= 10_000 ? `${trimmed(value / 1000, 1)} s` : `${trimmed(value, value < 10 ? 1 : 0)} ms`;
}

function percentText(percent: number | null): string {
  return `${trimmed(percent ?? 0, 1)} %`;
}

function durationText(days: number): string {
  const minutes = Math.round(days * 1440);
  return minutes < 90 ? `${minutes} min` : `${trimmed(minutes / 60, 0)} h`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
