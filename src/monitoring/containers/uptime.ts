import type { ContainerState } from "../../events.ts";
import type { Health } from "../../observations.ts";
import { isUp } from "./container.ts";

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
 * Percent of the observed time in the window during which it ran and was not unhealthy, cut to two decimals. Time not
 * observed, and time before it was first seen, is neither up nor down; null when nothing was observed.
 * Source: contract, section 1.
 */
export function uptimePercent(input: UptimeInput, window: Span): number | null {
  let observedMs = 0;
  let upMs = 0;
  for (const stretch of stretches(input, window)) {
    for (const span of overlapping(input.watched, stretch)) {
      const lengthMs = span.to - span.from;
      observedMs += lengthMs;
      if (stretch.up) upMs += lengthMs;
    }
  }
  return observedMs === 0 ? null : Math.floor((upMs / observedMs) * 10_000) / 100;
}

/** How often it went from up to something else that was no planned end, within the window. */
export function countIncidents({ before, changes }: UptimeInput, window: Span): number {
  let up = before !== null && isUp(before.state, before.health);
  let incidents = 0;
  for (const change of changes) {
    const upNow = isUp(change.state, change.health);
    if (up && !upNow && !PLANNED.has(change.state) && change.at >= window.from && change.at < window.to) incidents += 1;
    up = upNow;
  }
  return incidents;
}

const PLANNED: ReadonlySet<ContainerState> = new Set(["completed", "paused", "created"]);

/** The window cut at each change into stretches of up and not up. */
function* stretches({ before, changes, archivedAt }: UptimeInput, window: Span): Generator<Span & { up: boolean }> {
  const end = Math.min(window.to, archivedAt ?? window.to);
  let current: StateBefore = before;
  let from = window.from;
  for (const change of changes) {
    const to = Math.min(change.at, end);
    if (current !== null && to > from) yield { from, to, up: isUp(current.state, current.health) };
    current = change;
    from = Math.max(change.at, window.from);
  }
  if (current !== null && end > from) yield { from, to: end, up: isUp(current.state, current.health) };
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
