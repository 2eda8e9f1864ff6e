import type { LogLine } from "../../../runtimes/runtime.ts";
import type { StoredFound } from "./find.ts";

/** Lines of several sources may come out of order by so much: pods of a workload, hosts with clocks of their own. */
const OVERLAPS_MS = [10_000, 1_000, 0];
/** Lines that are compared at most, unless they have one time. */
const MOST_COMPARED = 50_000;

/** Where reading a log goes on, and which lines are stored already. */
export interface ResumePoint {
  since: Date;
  /** Whether this line is stored. Each line is answered so once. */
  isStored(line: LogLine): boolean;
  /** A new line came, and none that is stored: what was written between may be missing. */
  mayMissLines(): boolean;
}

/** Visits the lines that were stored from a moment on. */
type VisitSince = (sinceMs: number, visit: (found: StoredFound) => void, signal: AbortSignal) => Promise<unknown>;

/** Where to go on with a log whose newest stored line is of this moment. */
export async function findResumePoint(lastMs: number, visitSince: VisitSince, signal: AbortSignal): Promise<ResumePoint | undefined> {
  for (const overlapMs of OVERLAPS_MS) {
    const sinceMs = Math.max(lastMs - overlapMs, 0);
    const stored = new Map<string, number>();
    let compared = 0;
    const tooMany = new AbortController();
    const visit = ({ readLine }: StoredFound): void => {
      compared += 1;
      if (compared > MOST_COMPARED && overlapMs > 0) return tooMany.abort();
      const key = keyOf(readLine());
      stored.set(key, (stored.get(key) ?? 0) + 1);
    };
    await visitSince(sinceMs, visit, AbortSignal.any([signal, tooMany.signal]));
    if (!tooMany.signal.aborted) return pointAt(new Date(sinceMs), { stored, lastMs });
  }
  return undefined;
}

function pointAt(since: Date, { stored, lastMs }: { stored: Map<string, number>; lastMs: number }): ResumePoint {
  let hasFound = stored.size === 0;
  return {
    since,
    isStored(line) {
      if ((line.timestamp?.getTime() ?? 0) > lastMs) return false;
      const key = keyOf(line);
      const count = stored.get(key) ?? 0;
      if (count === 0) return false;
      stored.set(key, count - 1);
      hasFound = true;
      return true;
    },
    mayMissLines: () => !hasFound,
  };
}

function keyOf({ timestamp, stream, text }: LogLine): string {
  return `${timestamp?.getTime() ?? 0} ${stream} ${text.replaceAll("\n", " ")}`;
}
