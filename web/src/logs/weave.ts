import type { Status } from "../format/status.ts";
import type { NewLogLine, NewLogNote } from "./log-model.ts";
import type { LogRecord } from "./log-record.ts";

/** What happened to the container, to be shown between its lines. */
export interface Marker {
  /** Rising; each is shown once. */
  id: number;
  at: string;
  words: string;
  tone: Status;
}

/** Brings lines and markers into one order: at first by their times, then as they come. */
export interface Weave {
  lines(lines: readonly LogRecord[]): void;
  /** Oldest first; those known already are passed over. */
  markers(markers: readonly Marker[]): void;
  note(words: string): void;
}

export function createWeave(append: (entries: (NewLogLine | NewLogNote)[]) => void): Weave {
  /** Known before the first line; null from then on. */
  let early: NewLogNote[] | null = [];
  let lastId = Number.NEGATIVE_INFINITY;

  return {
    lines(records) {
      const lines = records.map(newLine);
      append(early === null ? lines : merge(lines, early));
      if (lines.length > 0) early = null;
    },
    markers(markers) {
      const fresh = markers.filter(({ id }) => id > lastId);
      lastId = Math.max(lastId, ...fresh.map(({ id }) => id));
      const notes = fresh.map(({ at, words, tone }): NewLogNote => ({ time: Date.parse(at), note: words, tone }));
      if (early === null) append(notes);
      else early.push(...notes);
    },
    note: (words) => append([{ time: null, note: words, tone: "idle" }]),
  };
}

function newLine(record: LogRecord): NewLogLine {
  const { timestamp, stream, text } = record;
  const line = { time: timestamp === null ? null : Date.parse(timestamp), stream, text };
  return "task_id" in record ? { ...line, source: { name: record.task_name, node: record.node_name } } : line;
}

/** Notes from before the first line belong to lines that are not there. */
function merge(lines: readonly NewLogLine[], notes: readonly NewLogNote[]): (NewLogLine | NewLogNote)[] {
  const first = lines.find((line) => line.time !== null)?.time;
  if (first === undefined || first === null) return [...lines];
  const due = notes.filter(({ time }) => time !== null && time >= first);
  const merged: (NewLogLine | NewLogNote)[] = [];
  let next = 0;
  for (const line of lines) {
    for (let note = due[next]; note !== undefined && line.time !== null && (note.time ?? 0) < line.time; note = due[next]) {
      merged.push(note);
      next += 1;
    }
    merged.push(line);
  }
  return [...merged, ...due.slice(next)];
}
