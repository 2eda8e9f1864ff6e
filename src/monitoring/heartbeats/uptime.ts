import type { StateSpan } from "../../contract/strip.ts";
import { DAY_MS } from "../../contract/time.ts";

/** How a heartbeat's time is counted: `unknown` is neither up nor down, since it is paused or was never pinged. */
export type Standing = "up" | "down" | "unknown";

/** What is counted of one UTC day. Times in milliseconds. */
export interface Day {
  /** Its midnight, since 1970. */
  startMs: number;
  /** Of which it is known whether it was up. */
  countedMs: number;
  downMs: number;
  /** Runs that ended by a ping. */
  checks: number;
  /** How often it went wrong. */
  incidents: number;
}

/** The day under way, counted up to a moment. Days are added up as they pass, so that they outlive the pings. */
export interface Tally extends Day {
  countedUntilMs: number;
}

/** How long days are kept. Source: contract, section 3. */
export const UPTIME_DAYS = 400;

/** Nothing counted yet. */
export function openTally(at: Date): Tally {
  return { ...emptyDay(at.getTime()), countedUntilMs: at.getTime() };
}

/**
 * Counts the time up to `until`, during all of which it stood so; days that are over by then are handed out, oldest first, unless empty. What lies in
 * gaps is not counted: no ping could be seen then.
 */
export function countTime(tally: Tally, standing: Standing, until: Date, gaps: readonly Gap[]): { tally: Tally; past: Day[] } {
  const untilMs = Math.max(until.getTime(), tally.countedUntilMs);
  const past: Day[] = [];
  let { countedUntilMs, ...day } = tally;
  while (untilMs >= day.startMs + DAY_MS) {
    const endMs = day.startMs + DAY_MS;
    past.push(addTime(day, standing, servedMs(gaps, countedUntilMs, endMs)));
    countedUntilMs = endMs;
    day = emptyDay(countedUntilMs);
  }
  // A clock that was wrong by decades makes no decades of days.
  return {
    tally: { ...addTime(day, standing, servedMs(gaps, countedUntilMs, untilMs)), countedUntilMs: untilMs },
    past: past.slice(-UPTIME_DAYS).filter(({ countedMs, checks, incidents }) => countedMs + checks + incidents > 0),
  };
}

export interface KnownTime {
  createdAt: Date;
  /** Since when it is paused; null while it is not. */
  pausedSince: Date | null;
  tally: Tally;
  /** The days before the one under way, from the start of the window on. */
  past: readonly Day[];
  /** When no ping could be taken, oldest first. */
  gaps: readonly Gap[];
}

/**
 * When pings were waited for within a window of at most a day, as `up`; alerts show when they failed to come. Of time that is not counted it is known how
 * much it was and not when: what of it lies in no gap is taken to be before the first ping.
 */
export function stateSpans({ createdAt, pausedSince, tally, past, gaps }: KnownTime, window: { from: number; to: number }): StateSpan[] {
  const firstDayMs = Math.floor(window.from / DAY_MS) * DAY_MS;
  const sinceMs = Math.max(createdAt.getTime(), firstDayMs);
  const countedMs = [...past, tally].reduce((sum, day) => sum + (day.startMs >= firstDayMs ? day.countedMs : 0), 0);
  const countedUntilMs = Math.min(tally.countedUntilMs, pausedSince?.getTime() ?? Infinity);
  const unknownMs = Math.max(0, servedMs(gaps, sinceMs, countedUntilMs) - countedMs);
  const from = Math.max(window.from, moveDeadline(sinceMs + unknownMs, sinceMs, gaps));
  const to = pausedSince === null ? window.to : Math.max(from, Math.min(window.to, pausedSince.getTime()));
  const spans: StateSpan[] = [];
  let at = from;
  for (const gap of [...gaps, { fromMs: to, untilMs: to }]) {
    const until = Math.min(gap.fromMs, to);
    if (until > at) spans.push({ from: at, to: until, state: "up" });
    at = Math.max(at, gap.untilMs);
  }
  if (to < window.to) spans.push({ from: to, to: window.to, state: "stopped" });
  return spans;
}

/** Percent of the known time that it was not down, cut to two decimals; null when nothing is known. Source: contract, section 3. */
export function uptimePercent({ countedMs, downMs }: Pick<Day, "countedMs" | "downMs">): number | null {
  return countedMs === 0 ? null : Math.floor(((countedMs - downMs) / countedMs) * 10_000) / 100;
}

export function emptyDay(atMs: number): Day {
  return { startMs: Math.floor(atMs / DAY_MS) * DAY_MS, countedMs: 0, downMs: 0, checks: 0, incidents: 0 };
}

function addTime(day: Day, standing: Standing, lengthMs: number): Day {
  if (standing === "unknown") return day;
  return { ...day, countedMs: day.countedMs + lengthMs, downMs: day.downMs + (standing === "down" ? lengthMs : 0) };
}

/** A stretch of time in which no ping could be taken, in milliseconds since 1970. */
export interface Gap {
  fromMs: number;
  untilMs: number;
}

/** The latest ones count; a deadline waits for a year at most. */
export const MAX_GAPS = 1000;

/**
 * A deadline that counts from a moment on, moved by the time in which no ping could be taken until then, and not further: gaps that began after it was
 * reached do not count. The gaps are in order and apart from each other.
 */
export function moveDeadline(deadlineMs: number, sinceMs: number, gaps: readonly Gap[]): number {
  let movedMs = deadlineMs;
  for (const { fromMs, untilMs } of gaps.slice(gaps.findLastIndex((gap) => gap.untilMs <= sinceMs) + 1)) {
    if (fromMs >= movedMs) break;
    movedMs += untilMs - Math.max(fromMs, sinceMs);
  }
  return movedMs;
}

/** How much of a stretch lies outside of gaps, which are in order and apart from each other. Those before it are not read. */
function servedMs(gaps: readonly Gap[], fromMs: number, untilMs: number): number {
  const first = gaps.findLastIndex((gap) => gap.untilMs <= fromMs) + 1;
  return gaps
    .slice(first)
    .reduce((sum, gap) => sum - Math.max(0, Math.min(gap.untilMs, untilMs) - Math.max(gap.fromMs, fromMs)), untilMs - fromMs);
}

/** Adds what of a gap lies after the last one; none of it may be left. */
export function addGap(gaps: readonly Gap[], { fromMs, untilMs }: Gap): Gap[] {
  const gap = { fromMs: Math.max(fromMs, gaps.at(-1)?.untilMs ?? fromMs), untilMs };
  return gap.untilMs <= gap.fromMs ? [...gaps] : [...gaps, gap].slice(-MAX_GAPS);
}

/** The same gaps on a clock that was set back. */
export function turnBackGaps(gaps: readonly Gap[], byMs: number): Gap[] {
  return gaps.map(({ fromMs, untilMs }) => ({ fromMs: fromMs - byMs, untilMs: untilMs - byMs }));
}
