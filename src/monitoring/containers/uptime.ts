import type { StateSpan, StripState } from "../../contract/strip.ts";
import type { ContainerState } from "../../events.ts";
import type { Health, Observation } from "../../observations.ts";
import { type Container, countsAs, isAlive } from "./container.ts";

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

/** For how long of the window it existed and its host was watched, in milliseconds. */
export function observedMs(input: UptimeInput, window: Span): number {
  return watchedMs(input.watched, lifeWithin(input, window));
}

/** For how long of the window a host was watched, in milliseconds. */
export function watchedMs(watched: readonly Span[], window: Span): number {
  return [...overlapping(watched, window)].reduce((sum, { from, to }) => sum + to - from, 0);
}

/** When it existed within the window and its host was not watched, oldest first. */
export function unobservedSpans(input: UptimeInput, window: Span): Span[] {
  const life = lifeWithin(input, window);
  const spans: Span[] = [];
  let from = life.from;
  for (const span of overlapping(input.watched, life)) {
    if (span.from > from) spans.push({ from, to: span.from });
    from = Math.max(from, span.to);
  }
  if (life.to > from) spans.push({ from, to: life.to });
  return spans;
}

/** From when it is known until it was gone, as far as that lies in the window. */
function lifeWithin(input: UptimeInput, window: Span): Span {
  const to = Math.min(window.to, input.archivedAt ?? window.to);
  const first = statesWithin(input, window).find(({ state }) => state !== null);
  return { from: first?.from ?? to, to };
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

/** The end of a log that is kept. Source: contract, section 1. */
export const MAX_SNIPPET_LENGTH = 10_240;

/**
 * For how long before it a report of an agent speaks: it makes one every ten seconds, and some may be lost. That its runtime was watched since
 * yesterday is true while the agent is cut off too, but what it saw then is known only as far as it came in: each report that did says so for itself.
 */
const REPORT_REACH_MS = 30_000;

/** When a host was watched, by the reports among these; joined where they touch. The local host is never cut off. */
export function spansOf(agentId: string | null, observations: readonly Observation[]): Span[] {
  const reachMs = agentId === null ? Infinity : REPORT_REACH_MS;
  const spans: Span[] = [];
  for (const each of observations) {
    if (each.kind !== "host.watched") continue;
    const to = each.observedAt.getTime();
    const from = Math.max(each.since.getTime(), to - reachMs);
    if (!(to >= from)) continue;
    const last = spans.at(-1);
    if (last !== undefined && from >= last.from && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** Where a container was until a time. */
export interface Stay {
  agentId: string | null;
  until: number;
}

/** When one was watched that is on a host now, and was elsewhere before: each host speaks for the time in which it was there. `stays` are in order. */
export function spansWhereItWas(
  watched: ReadonlyMap<string | null, readonly Span[]>,
  { agentId, stays }: { agentId: string | null; stays: readonly Stay[] },
): readonly Span[] {
  if (stays.every((stay) => stay.agentId === agentId)) return watched.get(agentId) ?? [];
  let since = -Infinity;
  return [...stays, { agentId, until: Infinity }].flatMap((stay) => {
    const from = since;
    since = stay.until;
    return (watched.get(stay.agentId) ?? []).flatMap((span) => {
      const part = { from: Math.max(span.from, from), to: Math.min(span.to, stay.until) };
      return part.from < part.to ? [part] : [];
    });
  });
}

/** How a container ended; `removed`: it was gone before anybody saw how. */
export const END_REASONS = ["stopped", "completed", "failed", "oom_killed", "dead", "removed"] as const;
export type EndReason = (typeof END_REASONS)[number];

/** One of the containers that there have been under an identity. */
export interface Generation {
  /** Where it was; null is the local host. */
  agentId: string | null;
  externalId: string;
  image: string;
  imageDigest: string | null;
  createdAt: Date | null;
  startedAt: Date | null;
  /** null while it is there and has not ended. */
  endedAt: Date | null;
  endReason: EndReason | null;
}

/** One whose place another took. */
export interface PastGeneration extends Generation {
  endedAt: Date;
  endReason: EndReason;
  /** Since when it was not on its host; null where that is not known, or another took its place before. */
  archivedAt: Date | null;
}

/** The container that is there now, or was last. */
export function generationOf(container: Container): Generation {
  const { agentId, externalId, image, imageDigest, createdAt, startedAt } = container;
  return { agentId, externalId, image, imageDigest, createdAt, startedAt, endedAt: endOf(container), endReason: endReasonOf(container) };
}

/** The same once another took its place; `at` is when, for one that nobody saw ending. */
export function pastOf(container: Container, at: Date): PastGeneration {
  const generation = generationOf(container);
  const { archivedAt } = container;
  return { ...generation, endedAt: generation.endedAt ?? at, endReason: generation.endReason ?? "removed", archivedAt };
}

function endOf({ state, archivedAt, lastStateChangeAt }: Container): Date | null {
  return isAlive(state) || state === "restarting" ? archivedAt : lastStateChangeAt;
}

function endReasonOf({ state, oomKilled, stopRequested, exitCode, archivedAt }: Container): EndReason | null {
  if (isAlive(state) || state === "restarting") return archivedAt === null ? null : "removed";
  if (oomKilled) return "oom_killed";
  if (state === "completed" || state === "dead") return state;
  if (exitCode === null) return "removed";
  return stopRequested ? "stopped" : "failed";
}
