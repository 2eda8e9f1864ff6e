import { LOG_LINES } from "../../../src/contract/log.ts";
import type { LogRecord } from "./log-record.ts";

/** Lets each line of a log pass once, though each reading begins a little before the last one ended. */
export interface Overlap {
  /** Where the next reading begins: the time of the last line that passed; null while none has a time. */
  readonly since: string | null;
  /** The next lines come from a new reading, which begins at `since` with lines that may have passed. */
  begin(): void;
  /** Whether the line is new. */
  pass(line: LogRecord): boolean;
}

/** Two lines of the same time, stream and text are two lines: they are counted, not compared. */
export function createOverlap(): Overlap {
  let since: string | null = null;
  let sinceMs = Number.NEGATIVE_INFINITY;
  /** The lines that passed with the time `since`, and how many of each. */
  let last = new Map<string, number>();
  /** The lines of these that the present reading is still expected to repeat; null once it has gone beyond them. */
  let expected: Map<string, number> | null = null;

  return {
    get since() {
      return since;
    },
    begin() {
      expected = since === null ? null : new Map(last);
    },
    pass(line) {
      if (line.timestamp === null) return true;
      const time = Date.parse(line.timestamp);
      const key = `${line.stream} ${line.text}`;
      if (expected !== null) {
        if (time < sinceMs) return false;
        const repeats = expected.get(key) ?? 0;
        if (time === sinceMs && repeats > 0) {
          expected.set(key, repeats - 1);
          return false;
        }
        if (time > sinceMs) expected = null;
      }
      if (time > sinceMs) {
        since = line.timestamp;
        sinceMs = time;
        last = new Map();
      }
      if (time === sinceMs) last.set(key, (last.get(key) ?? 0) + 1);
      return true;
    },
  };
}

/** The most that the server gives of what was written before. */
export const READ_LINES = LOG_LINES.max;

/** Clocks of nodes differ, and lines of one may come later than those of another: so far back it is read again. */
const SKEW_MS = 30_000;

/** Of a service, whose tasks are separate: each has its own order. */
export function createTaskOverlap(): Overlap {
  const ofTask = new Map<string, Overlap>();
  const first = { readings: 0, lines: 0, oldestMs: Number.POSITIVE_INFINITY };

  return {
    get since() {
      const newest = [...ofTask.values()].reduce((most, { since }) => Math.max(most, since === null ? 0 : Date.parse(since)), 0);
      return newest === 0 ? null : new Date(newest - SKEW_MS).toISOString();
    },
    begin() {
      first.readings += 1;
      for (const overlap of ofTask.values()) overlap.begin();
    },
    pass(line) {
      const time = line.timestamp === null ? null : Date.parse(line.timestamp);
      if (time !== null && first.readings === 1) {
        first.lines += 1;
        first.oldestMs = Math.min(first.oldestMs, time);
      }
      // Those that the first reading had no room for would stand below newer ones.
      if (time !== null && time < first.oldestMs && first.lines >= READ_LINES) return false;
      const task = "task_id" in line ? line.task_id : "";
      const overlap = ofTask.get(task) ?? createOverlap();
      ofTask.set(task, overlap);
      return overlap.pass(line);
    },
  };
}
