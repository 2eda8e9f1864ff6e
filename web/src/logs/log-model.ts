/**
 * The log as the page holds it: a bounded run of lines under rising ids, what the filter lets through, and what the search
 * found. It notifies its readers at most once a frame, however fast lines come.
 */
import type { Status } from "../format/status.ts";
import { plainText } from "./ansi.ts";
import { createFinder, type Finder } from "./find.ts";
import { createIdList, type IdList } from "./id-list.ts";
import type { LOG_LEVEL_FILTERS, LogStream } from "../../../src/contract/log.ts";
import { findLevel, isContinuation, type LogLevel } from "../../../src/contract/log-level.ts";

/** Who wrote a line of a log that has several writers. */
export interface LineSource {
  name: string;
  node: string | null;
}

export interface LogLine {
  id: number;
  /** Milliseconds since 1970; null when the runtime did not say. */
  time: number | null;
  stream: LogStream;
  /** As written, escape sequences and all. */
  text: string;
  source?: LineSource;
  /** As read and searched. */
  plain: string;
  /** Its own, or that of the line which it continues. */
  level: LogLevel | null;
}

/** Something that happened between two lines. */
export interface LogNote {
  id: number;
  time: number | null;
  note: string;
  tone: Status;
}

export type LogEntry = LogLine | LogNote;
export type NewLogLine = Pick<LogLine, "time" | "stream" | "text" | "source">;
export type NewLogNote = Pick<LogNote, "time" | "note" | "tone">;

export interface LogFilter {
  /** `error`: errors only; `warn`: warnings too; `info`: hide debug lines. */
  level: "any" | (typeof LOG_LEVEL_FILTERS)[number];
  stream: "any" | LogStream;
}

export interface LogSnapshot {
  /** Lines and notes that the filter lets through. */
  shown: number;
  /** Lines that are kept, notes aside, and how many of them the filter lets through. */
  lines: number;
  linesShown: number;
  /** Lines that had to make room, since the page was opened. */
  dropped: number;
  found: number;
  isSearching: boolean;
  /** Characters in the longest line so far. */
  longest: number;
  hasBothStreams: boolean;
}

export interface LogModel {
  append(entries: readonly (NewLogLine | NewLogNote)[]): void;
  clear(): void;
  setFilter(filter: LogFilter): void;
  setQuery(query: string): void;
  entryAt(index: number): LogEntry | undefined;
  /** Where the entry is shown, or the first one after it. */
  indexFrom(id: number): number;
  readonly found: Pick<IdList, "at" | "length" | "indexFrom">;
  /** All that is kept, oldest first. */
  entries(): Iterable<LogEntry>;
  subscribe(listener: () => void): () => void;
  snapshot(): LogSnapshot;
}

const LOG_CAPACITY = 100_000;
/** Room is made for this share of the capacity at once, so that the list is not laid out again for every line. */
const EVICTED_SHARE = 0.01;
/** What may wait for the next frame; a hidden page has none. */
const MOST_WAITING = 5_000;
/** Characters that the name of a writer takes beside its line. */
export const SOURCE_WIDTH = 18;
/** Searching gives way to the page after this long. */
const SEARCH_SLICE_MS = 8;

/** `schedule` calls back before the next frame is drawn. */
export function createLogModel({
  capacity = LOG_CAPACITY,
  schedule,
}: {
  capacity?: number;
  schedule: (callback: () => void) => void;
}): LogModel {
  const ring: LogEntry[] = [];
  const shown = createIdList();
  const found = createIdList();
  const notes = createIdList();
  const listeners = new Set<() => void>();
  /** Of each writer and stream. */
  const lastLevels = new Map<string, LogLevel | null>();
  const seenStreams = new Set<LogLine["stream"]>();
  let waiting: (NewLogLine | NewLogNote)[] = [];
  let isScheduled = false;
  let firstId = 0;
  let nextId = 0;
  let dropped = 0;
  let longest = 0;
  let filter: LogFilter = { level: "any", stream: "any" };
  let query = "";
  let finder: Finder | null = null;
  let searchedTo = 0;
  let snapshot = takeSnapshot();

  function takeSnapshot(): LogSnapshot {
    const isSearching = finder !== null && searchedTo < nextId;
    return {
      shown: shown.length,
      lines: nextId - firstId - notes.length,
      linesShown: shown.length - notes.length,
      dropped,
      found: found.length,
      isSearching,
      longest,
      hasBothStreams: seenStreams.size > 1,
    };
  }

  function wake(): void {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      settle();
    });
  }

  /** Takes in what waits, searches for a while, and notifies. */
  function settle(): void {
    takeIn();
    search();
    snapshot = takeSnapshot();
    for (const listener of listeners) listener();
    if (snapshot.isSearching) wake();
  }

  function takeIn(): void {
    for (const entry of waiting) {
      const kept = "note" in entry ? { ...entry, id: nextId } : readLine(entry);
      ring[nextId % capacity] = kept;
      if ("note" in kept) notes.push(nextId);
      if (isShown(kept)) shown.push(nextId);
      nextId += 1;
    }
    waiting = [];
    if (nextId - firstId <= capacity) return;
    const next = nextId - capacity + Math.floor(capacity * EVICTED_SHARE);
    dropped += next - firstId - notes.dropBelow(next);
    firstId = next;
    shown.dropBelow(firstId);
    found.dropBelow(firstId);
  }

  function readLine(line: NewLogLine): LogLine {
    const plain = plainText(line.text);
    const writer = `${line.stream} ${line.source?.name ?? ""}`;
    const level = findLevel(plain)?.level ?? (isContinuation(plain) ? (lastLevels.get(writer) ?? null) : null);
    lastLevels.set(writer, level);
    seenStreams.add(line.stream);
    longest = Math.max(longest, plain.length + (line.source === undefined ? 0 : SOURCE_WIDTH));
    return { ...line, id: nextId, plain, level };
  }

  function isShown(entry: LogEntry): boolean {
    if ("note" in entry) return true;
    if (filter.stream !== "any" && entry.stream !== filter.stream) return false;
    if (filter.level === "any") return true;
    if (filter.level === "info") return entry.level !== "debug";
    return entry.level === "error" || (filter.level === "warn" && entry.level === "warn");
  }

  function search(): void {
    if (finder === null) return;
    const until = performance.now() + SEARCH_SLICE_MS;
    for (let index = shown.indexFrom(searchedTo); index < shown.length; index += 1) {
      const id = shown.at(index) ?? nextId;
      const entry = ring[id % capacity];
      if (entry !== undefined && "plain" in entry && finder.isIn(entry.plain)) found.push(id);
      searchedTo = id + 1;
      if (index % 256 === 255 && performance.now() > until) return;
    }
    searchedTo = nextId;
  }

  function searchAgain(): void {
    found.clear();
    searchedTo = firstId;
  }

  return {
    append(entries) {
      if (entries.length === 0) return;
      for (const entry of entries) waiting.push(entry);
      if (waiting.length >= MOST_WAITING) takeIn();
      wake();
    },
    clear() {
      waiting = [];
      firstId = nextId;
      dropped = 0;
      longest = 0;
      seenStreams.clear();
      ring.length = 0;
      shown.clear();
      notes.clear();
      searchAgain();
      wake();
    },
    setFilter(next) {
      if (next.level === filter.level && next.stream === filter.stream) return;
      filter = next;
      shown.clear();
      for (let id = firstId; id < nextId; id += 1) {
        const entry = ring[id % capacity];
        if (entry !== undefined && isShown(entry)) shown.push(id);
      }
      searchAgain();
      settle();
    },
    setQuery(next) {
      if (next === query) return;
      query = next;
      finder = createFinder(next);
      searchAgain();
      settle();
    },
    entryAt(index) {
      const id = shown.at(index);
      return id === undefined ? undefined : ring[id % capacity];
    },
    indexFrom: (id) => shown.indexFrom(id),
    found,
    *entries() {
      for (let id = firstId; id < nextId; id += 1) {
        const entry = ring[id % capacity];
        if (entry !== undefined) yield entry;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
  };
}
