import type { LogLineRecord } from "../../../src/monitoring/containers/api.ts";

/** Lets each line of a log pass once, though each reading begins a little before the last one ended. */
interface Overlap {
  /** Where the next reading begins: the time of the last line that passed; null while none has told its time. */
  readonly since: string | null;
  /** The next lines come from a new reading, which begins at `since` with lines that may have passed. */
  begin(): void;
  /** Whether the line is new. */
  pass(line: LogLineRecord): boolean;
}

/** Two lines of the same time, stream and text are two lines: they are counted, not compared. */
export function createOverlap(): Overlap {
  let since: string | null = null;
  let sinceMs = Number.NEGATIVE_INFINITY;
  /** The lines that passed with the time `since`, and how many of each. */
  let last = new Map<string, number>();
  /** What of these the present reading is still expected to repeat; null once it went beyond. */
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
