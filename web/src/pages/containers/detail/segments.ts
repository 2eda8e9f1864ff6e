/** The states of a container over a stretch of time, as a strip is drawn of them. */
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import type { DailyUptime, TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";
import type { Status } from "../../../format/status.ts";
import { statusOf } from "./change.ts";

export interface Segment {
  from: number;
  until: number;
  /** `unknown`: nobody looked. */
  status: Status | "unknown";
  word: string;
}

interface Known {
  container: Pick<ContainerRecord, "state" | "health" | "stop_requested" | "first_seen_at" | "archived_at">;
  /** Newest first. */
  transitions: readonly TransitionRecord[];
  /** False while older ones within the range are still to be loaded. */
  isComplete: boolean;
  /** When its host was not watched. */
  unobserved: DailyUptime["unobserved"];
}

/** Gapless, oldest first, from `from` until `until`. */
export function stateSegments({ container, transitions, isComplete, unobserved }: Known, from: number, until: number): Segment[] {
  const oldestFirst = transitions.toReversed().filter(({ timestamp }) => Date.parse(timestamp) < until);
  const segments: Segment[] = [];
  const first = oldestFirst[0];
  const begin =
    first === undefined ? { state: container.state, health: container.health, isAsked: container.stop_requested } : beforeOf(first);
  let current = begin.state === null ? UNSEEN : describe(begin.state, begin.health, begin.isAsked);
  if (!isComplete) current = NOT_LOADED;
  let start = Number.NEGATIVE_INFINITY;
  for (const transition of oldestFirst) {
    const at = Date.parse(transition.timestamp);
    segments.push({ ...current, from: start, until: at });
    current = describe(transition.new_state, transition.new_health, transition.stop_requested);
    start = at;
  }
  segments.push({ ...current, from: start, until: Number.POSITIVE_INFINITY });

  const unseen: Segment[] = [{ ...UNSEEN, from: Number.NEGATIVE_INFINITY, until: Date.parse(container.first_seen_at) }];
  for (const gap of unobserved)
    unseen.push({ ...UNSEEN, from: Date.parse(gap.from), until: gap.to === null ? Number.POSITIVE_INFINITY : Date.parse(gap.to) });
  if (container.archived_at !== null) unseen.push({ ...REMOVED, from: Date.parse(container.archived_at), until: Number.POSITIVE_INFINITY });
  return clip(join(unseen.reduce(cover, segments)), from, until);
}

const UNSEEN = { status: "unknown", word: "Not monitored" } as const;
const REMOVED = { status: "unknown", word: "Removed" } as const;
const NOT_LOADED = { status: "unknown", word: "Not loaded yet" } as const;

type State = TransitionRecord["new_state"];

const WORDS: Record<State, string> = {
  created: "Not started",
  running: "Running",
  paused: "Paused",
  restarting: "Down",
  exited: "Down",
  completed: "Completed",
  dead: "Down",
};

/** Whether what came before the first known transition was asked for is not shown. */
function beforeOf({ previous_state: state, previous_health: health }: TransitionRecord) {
  return { state, health, isAsked: false };
}

function describe(state: State, health: TransitionRecord["new_health"], isAsked: boolean): Pick<Segment, "status" | "word"> {
  const status = statusOf({ new_state: state, new_health: health, stop_requested: isAsked });
  return { status, word: status === "degraded" ? "Unhealthy" : isAsked && state === "exited" ? "Stopped" : WORDS[state] };
}

/** Puts `over` on top of what lies beneath it. */
function cover(segments: Segment[], over: Segment): Segment[] {
  return segments.flatMap((segment) => {
    if (segment.until <= over.from || segment.from >= over.until) return [segment];
    const parts: Segment[] = [];
    if (segment.from < over.from) parts.push({ ...segment, until: over.from });
    parts.push({ ...over, from: Math.max(segment.from, over.from), until: Math.min(segment.until, over.until) });
    if (segment.until > over.until) parts.push({ ...segment, from: over.until });
    return parts;
  });
}

function join(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last?.word === segment.word) last.until = segment.until;
    else joined.push({ ...segment });
  }
  return joined;
}

function clip(segments: readonly Segment[], from: number, until: number): Segment[] {
  return segments
    .filter((segment) => segment.until > from && segment.from < until)
    .map((segment) => ({ ...segment, from: Math.max(segment.from, from), until: Math.min(segment.until, until) }));
}

interface Total {
  status: Segment["status"];
  word: string;
  lengthMs: number;
}

/** How long each state lasted in all, longest first. */
export function totalsOf(segments: readonly Segment[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { word, status, from, until } of segments) {
    const total = totals.get(word) ?? { word, status, lengthMs: 0 };
    total.lengthMs += until - from;
    totals.set(word, total);
  }
  return [...totals.values()].toSorted((a, b) => b.lengthMs - a.lengthMs);
}
