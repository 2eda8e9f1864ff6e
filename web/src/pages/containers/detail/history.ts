/** The history of a container: its changes by day, with repeated restarts as one entry. */
import { MINUTE_MS } from "../../../../../src/contract/time.ts";
import { formatDay } from "../../../format/time.ts";
import { causeOfEnd, isEnd, isUnexpectedEnd, type Change } from "./change.ts";
import { formatLength } from "./length.ts";

/** Restarts in a row: `Restarted 14 times in 8 min`. */
interface RestartRun {
  /** Newest first. */
  changes: Change[];
  what: string;
  /** `each time OOM killed (exit 137)` */
  causes: string;
  status: Change["status"];
  /** When the last of them happened. */
  at: string;
}

export type HistoryEntry = Change | RestartRun;

interface HistoryDay {
  /** `Today`, `Yesterday`, `Fri 20 Nov`. */
  title: string;
  entries: HistoryEntry[];
}

/** Ends that follow each other more slowly are separate entries. */
const CYCLE_MS = 10 * MINUTE_MS;
const FEWEST_ENDS = 3;

/** Collapses restarts that repeat. Takes and gives newest first. */
export function collapseRestarts(changes: readonly Change[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let run: Change[] = [];
  let lastEndMs = Number.NEGATIVE_INFINITY;

  function close(): void {
    entries.push(...collapseRun(run));
    run = [];
  }

  for (const change of changes.toReversed()) {
    const atMs = Date.parse(change.transition.timestamp);
    const isOfRun = isUnexpectedEnd(change.transition) || isComingBack(change);
    if (!isOfRun || atMs - lastEndMs > CYCLE_MS) close();
    if (!isOfRun) entries.push(change);
    else run.push(change);
    if (isUnexpectedEnd(change.transition)) lastEndMs = atMs;
  }
  close();
  return entries.toReversed();
}

/** Oldest first: the run as one entry, or its changes one by one where too few are ends. */
function collapseRun(run: readonly Change[]): HistoryEntry[] {
  const firstEnd = run.findIndex(({ transition }) => isUnexpectedEnd(transition));
  const cycle = firstEnd === -1 ? [] : run.slice(firstEnd);
  const ends = cycle.filter(({ transition }) => isUnexpectedEnd(transition));
  const first = cycle[0];
  const last = cycle.at(-1);
  if (ends.length < FEWEST_ENDS || first === undefined || last === undefined) return [...run];
  const lengthMs = Date.parse(last.transition.timestamp) - Date.parse(first.transition.timestamp);
  const isUp = last.transition.new_state === "running";
  return [
    ...run.slice(0, firstEnd),
    {
      changes: cycle.toReversed(),
      what: `${isUp ? "Restarted" : "Exited"} ${ends.length} times in ${formatLength(lengthMs)}`,
      causes: causeWords(ends),
      status: isUp ? "degraded" : "down",
      at: last.transition.timestamp,
    },
  ];
}

/** Part of a restart: running again, waiting to, or its health check beginning. */
function isComingBack({ transition }: Change): boolean {
  const { previous_state: previous, new_state: state, new_health: health } = transition;
  if (previous === null || isEnd(transition)) return false;
  if (previous === state) return health !== "unhealthy";
  return state === "restarting" || (state === "running" && previous !== "paused" && previous !== "completed");
}

function causeWords(ends: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { transition } of ends) counts.set(causeOfEnd(transition), (counts.get(causeOfEnd(transition)) ?? 0) + 1);
  if (counts.size === 1)
    return `each time ${causeOfEnd(ends[0]?.transition ?? { oom_killed: false, exit_code: null, new_state: "exited", stop_requested: false })}`;
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, count]) => `${count}× ${cause}`)
    .join(", ");
}

/** When an entry happened. */
export function timeOf(entry: HistoryEntry): string {
  return "changes" in entry ? entry.at : entry.transition.timestamp;
}

/** Entries under their local days. Takes and gives newest first. */
export function groupByDay(entries: readonly HistoryEntry[], nowMs: number): HistoryDay[] {
  const days: HistoryDay[] = [];
  for (const entry of entries) {
    const title = dayTitle(new Date(timeOf(entry)), nowMs);
    const last = days.at(-1);
    if (last?.title === title) last.entries.push(entry);
    else days.push({ title, entries: [entry] });
  }
  return days;
}

function dayTitle(at: Date, nowMs: number): string {
  const day = at.toDateString();
  if (day === new Date(nowMs).toDateString()) return "Today";
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === yesterday.toDateString()) return "Yesterday";
  return `${at.toLocaleDateString("en-GB", { weekday: "short" })} ${formatDay(at, nowMs)}`;
}
