import { SPARKLINE_CHECKS } from "../../contract/endpoint.ts";
import type { StateSpan } from "../../contract/strip.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Check } from "./checks/head.ts";

/** What happened in a stretch of time. */
export interface Counts {
  /** Observed ones. */
  checks: number;
  failures: number;
  /** Time for which a check that succeeded speaks. */
  upMs: number;
  downMs: number;
  /** How often the endpoint went down. */
  incidents: number;
}

/** The last check, while it still speaks for the time after it. */
export interface Carry {
  atMs: number;
  up: boolean;
}

/**
 * What is known of an endpoint by counting its checks as they come. There are ten thousand of them and hundreds of checks a second, so
 * counting changes one in place; see {@link copyTally}.
 */
export interface Tally {
  carry: Carry | null;
  /** The hour under way, counted since 1970. */
  newestHour: number;
  /** How many response times were ever put into the ring. */
  pointCount: number;
  /** Rings: time up and time down of the last hours, then the last response times, NaN for one without an answer. */
  readonly figures: Float32Array;
  /** What was counted since the days were saved last, by day. */
  readonly days: Map<number, Counts>;
}

/** The hour under way, and as many before it as a day may touch. */
const HOURS = 25;
const UP = 0;
const DOWN = HOURS;
const FIRST_POINT = 2 * HOURS;

export function newTally(): Tally {
  return { carry: null, newestHour: 0, pointCount: 0, figures: new Float32Array(2 * HOURS + SPARKLINE_CHECKS), days: new Map() };
}

/** To count what may yet have to be given up. */
export function copyTally(tally: Tally): Tally {
  return {
    ...tally,
    figures: tally.figures.slice(),
    days: new Map(Array.from(tally.days, ([day, counts]) => [day, { ...counts }])),
  };
}

/** One check more, newer than those before. The check before speaks for the time until this one, at most for `longestMs`. */
export function countCheck(tally: Tally, check: Check, longestMs: number): void {
  endStretch(tally, check.atMs, longestMs);
  if (!check.observed) return;
  tally.carry = { atMs: check.atMs, up: check.success };
  tally.figures[FIRST_POINT + (tally.pointCount % SPARKLINE_CHECKS)] = check.success ? (check.responseTimeMs ?? Number.NaN) : Number.NaN;
  tally.pointCount += 1;
  addCheck(tally.days, check);
}

/** Nobody looks from here on. */
export function endStretch(tally: Tally, atMs: number, longestMs: number): void {
  const { carry } = tally;
  tally.carry = null;
  for (const span of spansOf(carry, atMs, longestMs)) {
    // The clock was ahead by more than the hours that are kept, and was set back: they start over.
    if (hourOf(span.fromMs) <= tally.newestHour - HOURS) tally.newestHour = 0;
    addToHours(tally, span);
    addToDays(tally.days, span);
  }
}

/** What checks that lie in the past add to the last hours; the days of these are saved with them. */
export function addPast(tally: Tally, { spans, carry }: { spans: readonly Span[]; carry: Carry | null }): void {
  for (const span of spans) addToHours(tally, span);
  tally.carry = carry;
}

/** The same after a start, of a check whose days are saved: of those before it only the last is known. */
export function takeBackPast(tally: Tally, { atMs, observed, success }: Check, longestMs: number): void {
  const { carry } = tally;
  if (carry !== null && atMs <= carry.atMs) return;
  addPast(tally, { spans: spansOf(carry, atMs, longestMs), carry: observed ? { atMs, up: success } : null });
}

/** Percent of the observed time of the last 24 hours, cut to two decimals; null when nothing was observed. */
export function uptime24h({ carry, newestHour, figures }: Tally, nowMs: number, longestMs: number): number | null {
  const hour = hourOf(nowMs);
  let up = 0;
  let down = 0;
  for (let each = Math.max(hour - 24, newestHour - HOURS + 1); each <= Math.min(hour, newestHour); each += 1) {
    // The oldest hour lies partly behind.
    const weight = each === hour - 24 ? 1 - (nowMs % HOUR_MS) / HOUR_MS : 1;
    up += (figures[UP + (each % HOURS)] ?? 0) * weight;
    down += (figures[DOWN + (each % HOURS)] ?? 0) * weight;
  }
  if (carry !== null) {
    const openMs = Math.max(0, Math.min(nowMs, carry.atMs + longestMs) - Math.max(carry.atMs, nowMs - DAY_MS));
    if (carry.up) up += openMs;
    else down += openMs;
  }
  return percentOf(up, down);
}

/**
 * The hours of a stretch of time in which checks spoke, cut to it: `down` where they failed for longer than they succeeded. Of an hour it is known for how
 * long they spoke and not when: beside an hour in which none did, they are taken to lie at its other end.
 */
export function stateSpans(tally: Tally, window: { from: number; to: number }, longestMs: number): StateSpan[] {
  const spans: StateSpan[] = [];
  const { carry } = tally;
  const open = spansOf(carry, window.to, longestMs);
  const knownTo = carry === null ? window.to : Math.min(window.to, carry.atMs + longestMs);
  const lastHour = hourOf(knownTo - 1);
  let before = spokenIn(tally, hourOf(window.from) - 1, open);
  let spoken = spokenIn(tally, hourOf(window.from), open);
  for (let hour = hourOf(window.from); hour <= lastHour; hour += 1) {
    const after = spokenIn(tally, hour + 1, open);
    const [start, end] = [hour * HOUR_MS, Math.min((hour + 1) * HOUR_MS, knownTo)];
    const knownMs = Math.min(spoken.up + spoken.down, end - start);
    const isLast = hour === lastHour && carry !== null;
    if (knownMs > 0) {
      const from = before.up + before.down > 0 ? start : end - knownMs;
      const to = isLast || after.up + after.down > 0 ? end : from === start ? start + knownMs : end;
      const span = { from: Math.max(from, window.from), to: Math.min(to, window.to) };
      if (span.to > span.from) spans.push({ ...span, state: spoken.down > spoken.up ? "down" : "up" });
    }
    [before, spoken] = [spoken, after];
  }
  return spans;
}

/** For how long checks of an hour spoke. */
function spokenIn({ newestHour, figures }: Tally, hour: number, open: readonly Span[]): { up: number; down: number } {
  const isKept = hour > newestHour - HOURS && hour <= newestHour;
  let up = isKept ? (figures[UP + (hour % HOURS)] ?? 0) : 0;
  let down = isKept ? (figures[DOWN + (hour % HOURS)] ?? 0) : 0;
  for (const span of open) {
    if (hourOf(span.fromMs) !== hour) continue;
    if (span.up) up += span.toMs - span.fromMs;
    else down += span.toMs - span.fromMs;
  }
  return { up, down };
}

/** The last response times, oldest first; null for a check without an answer. */
export function pointsOf({ pointCount, figures }: Tally): (number | null)[] {
  const count = Math.min(pointCount, SPARKLINE_CHECKS);
  return Array.from({ length: count }, (_, index) => {
    const value = figures[FIRST_POINT + ((pointCount - count + index) % SPARKLINE_CHECKS)] ?? Number.NaN;
    return Number.isNaN(value) ? null : Math.round(value * 10) / 10;
  });
}

export function percentOf(upMs: number, downMs: number): number | null {
  const observedMs = upMs + downMs;
  return observedMs <= 0 ? null : Math.floor((upMs / observedMs) * 10_000) / 100;
}

/** A tally as it is stored; the days are stored apart. */
export function tallyToText(tally: Tally): string {
  const { carry, newestHour, figures } = tally;
  return JSON.stringify({ carry, newestHour, hours: Array.from(figures.subarray(0, FIRST_POINT)), points: pointsOf(tally) });
}

export function tallyFromText(text: string): Tally {
  // It was written by tallyToText.
  const { carry, newestHour, hours, points } = JSON.parse(text) as Pick<Tally, "carry" | "newestHour"> & {
    hours: number[];
    points: (number | null)[];
  };
  const tally = { ...newTally(), carry, newestHour, pointCount: points.length };
  tally.figures.set(hours);
  const ring = points.map((point) => point ?? Number.NaN);
  tally.figures.set(ring, FIRST_POINT);
  return tally;
}

/** A part of an hour for which a check speaks. */
export interface Span {
  fromMs: number;
  toMs: number;
  up: boolean;
  /** -1 takes back what was counted. */
  sign: 1 | -1;
}

/** What a check speaks for until a moment, cut at the hours. */
export function spansOf(carry: Carry | null, untilMs: number, longestMs: number): Span[] {
  const spans: Span[] = [];
  if (carry === null) return spans;
  const endMs = Math.min(untilMs, carry.atMs + longestMs);
  for (let fromMs = carry.atMs; fromMs < endMs;) {
    const toMs = Math.min(endMs, (hourOf(fromMs) + 1) * HOUR_MS);
    spans.push({ fromMs, toMs, up: carry.up, sign: 1 });
    fromMs = toMs;
  }
  return spans;
}

/**
 * What checks that came late change of what a stretch of the past was counted as; `known` and `late` in order. One that is newer than all that
 * is known speaks for the time after it in place of `carry`, whose own time was not counted yet.
 */
export function countLate(
  { known, late, carry }: { known: readonly Check[]; late: readonly Check[]; carry: Carry | null },
  longestMs: number,
): { spans: Span[]; carry: Carry | null } {
  const all = [...known, ...late].toSorted((a, b) => a.atMs - b.atMs);
  const last = all.at(-1);
  const isNewest = last !== undefined && late.includes(last) && last.atMs > (carry?.atMs ?? -Infinity);
  // One that came late became the carry after newer ones, which nobody speaks for now, had been counted.
  const isOvertaken = carry !== null && (last?.atMs ?? -Infinity) > carry.atMs && known.some(({ atMs }) => atMs === carry.atMs);
  const open = isNewest || isOvertaken ? carry : null;
  const counted = spansOfAll(known, longestMs, open?.atMs).map((span): Span => ({ ...span, sign: -1 }));
  if (!isNewest) return { spans: [...spansOfAll(all, longestMs), ...counted], carry: isOvertaken ? null : carry };
  const before = open === null || known.some(({ atMs }) => atMs === open.atMs) ? [] : spansOf(open, all[0]?.atMs ?? last.atMs, longestMs);
  return {
    spans: [...before, ...spansOfAll(all, longestMs, last.atMs), ...counted],
    carry: last.observed ? { atMs: last.atMs, up: last.success } : null,
  };
}

/** All that checks in order speak for, the last of them for as long as one may; without the one at a time. */
function spansOfAll(checks: readonly Check[], longestMs: number, exceptAtMs?: number): Span[] {
  return checks.flatMap(({ atMs, observed, success }, index) =>
    observed && atMs !== exceptAtMs ? spansOf({ atMs, up: success }, checks[index + 1]?.atMs ?? Infinity, longestMs) : [],
  );
}

/** Counts by day of checks and spans. */
export function byDay(checks: readonly Check[], spans: readonly Span[]): Map<number, Counts> {
  const days = new Map<number, Counts>();
  for (const check of checks) if (check.observed) addCheck(days, check);
  for (const span of spans) addToDays(days, span);
  return days;
}

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

export function addCounts(days: Map<number, Counts>, day: number, more: Counts): void {
  const counts = countsAt(days, day);
  counts.checks += more.checks;
  counts.failures += more.failures;
  counts.upMs += more.upMs;
  counts.downMs += more.downMs;
  counts.incidents += more.incidents;
}

function countsAt(days: Map<number, Counts>, day: number): Counts {
  let counts = days.get(day);
  if (counts === undefined) days.set(day, (counts = { checks: 0, failures: 0, upMs: 0, downMs: 0, incidents: 0 }));
  return counts;
}

function addCheck(days: Map<number, Counts>, { atMs, success, wentDown }: Check): void {
  const counts = countsAt(days, dayOf(atMs));
  counts.checks += 1;
  if (!success) counts.failures += 1;
  if (wentDown) counts.incidents += 1;
}

function addToDays(days: Map<number, Counts>, { fromMs, toMs, up, sign }: Span): void {
  const counts = countsAt(days, dayOf(fromMs));
  if (up) counts.upMs += (toMs - fromMs) * sign;
  else counts.downMs += (toMs - fromMs) * sign;
}

function addToHours(tally: Tally, { fromMs, toMs, up, sign }: Span): void {
  const { figures } = tally;
  const hour = hourOf(fromMs);
  // Hours that were passed by have nothing in them.
  for (let next = Math.max(tally.newestHour + 1, hour - HOURS + 1); next <= hour; next += 1) {
    figures[UP + (next % HOURS)] = 0;
    figures[DOWN + (next % HOURS)] = 0;
  }
  tally.newestHour = Math.max(tally.newestHour, hour);
  if (hour <= tally.newestHour - HOURS) return;
  const slot = (up ? UP : DOWN) + (hour % HOURS);
  figures[slot] = (figures[slot] ?? 0) + (toMs - fromMs) * sign;
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}
