import type { StateSpan, StripState } from "../../contract/strip.ts";
import type { ContainerState } from "../../events.ts";
import type { Health } from "../../observations.ts";
import { countsAs } from "./container.ts";

/** A stretch of time in milliseconds since 1970; the end is not part of it. */
export interface Span {
  from: number;
  to: number;
}

/** What a container was from `at` on. */
export interface StateChange {
  at: number;
  state: ContainerState;
  health: Health | null;
  /** It ended, and somebody had asked for it. */
  stopRequested?: boolean;
}

/** What it was before its first known change within the asked time; null when it did not exist or was not known. */
export type StateBefore = Omit<StateChange, "at"> | null;

export interface UptimeInput {
  before: StateBefore;
  /** Oldest first. */
  changes: readonly StateChange[];
  /** When its host was watched: disjoint, oldest first. */
  watched: readonly Span[];
  /** It was gone from here on; null while it is present. */
  archivedAt: number | null;
}

/**
 * Percent of the counted time in the window during which it ran and was not unhealthy, cut to two decimals. Time not observed, time before
 * it was first seen, and time stopped by somebody, paused, completed or only created is not counted; null when no time was. Source: contract, section 19.
 */
export function uptimePercent(input: UptimeInput, window: Span): number | null {
  let countedMs = 0;
  let upMs = 0;
  for (const { state, from, to } of statesWithin(input, window)) {
    const counts = state === null ? null : countsAs(state);
    if (counts === null) continue;
    for (const span of overlapping(input.watched, { from, to })) {
      const lengthMs = span.to - span.from;
      countedMs += lengthMs;
      if (counts === "up") upMs += lengthMs;
    }
  }
  return countedMs === 0 ? null : Math.floor((upMs / countedMs) * 10_000) / 100;
}

/** How often it went from up to something else that was no planned end, within the window. */
export function countIncidents({ before, changes }: UptimeInput, window: Span): number {
  let up = before !== null && countsAs(before) === "up";
  let incidents = 0;
  for (const change of changes) {
    const counts = countsAs(change);
    if (up && counts === "down" && change.at >= window.from && change.at < window.to) incidents += 1;
    up = counts === "up";
  }
  return incidents;
}

/** How it was during the window as far as its host was watched, oldest first. Time before it was first seen is left out. */
export function stateSpans(input: UptimeInput, window: Span): StateSpan[] {
  const spans: StateSpan[] = [];
  for (const { state, from, to } of statesWithin(input, window)) {
    if (state === null) continue;
    for (const span of overlapping(input.watched, { from, to })) spans.push({ ...span, state: stripStateOf(state) });
  }
  return spans;
}

/** An unhealthy container runs, so it is degraded. Time that counts neither way is time in which nobody expects it to run. */
export function stripStateOf(state: NonNullable<StateBefore>): StripState {
  const counts = countsAs(state);
  if (counts === null) return "stopped";
  return counts === "down" && state.state === "running" ? "degraded" : counts;
}

/** The window cut at each change. */
function* statesWithin(
  { before, changes, archivedAt }: Omit<UptimeInput, "watched">,
  window: Span,
): Generator<Span & { state: StateBefore }> {
  const end = Math.min(window.to, archivedAt ?? window.to);
  let state: StateBefore = before;
  let from = window.from;
  for (const change of changes) {
    const to = Math.min(change.at, end);
    if (to > from) yield { state, from, to };
    state = change;
    from = Math.max(change.at, window.from);
  }
  if (end > from) yield { state, from, to: end };
}

/** The parts of the sorted spans that lie within a stretch. */
function* overlapping(spans: readonly Span[], stretch: Span): Generator<Span> {
  for (let index = firstEndingAfter(spans, stretch.from); index < spans.length; index += 1) {
    const span = spans[index];
    if (span === undefined || span.from >= stretch.to) return;
    yield { from: Math.max(span.from, stretch.from), to: Math.min(span.to, stretch.to) };
  }
}

function firstEndingAfter(spans: readonly Span[], time: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
