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

const LOG_CAPACITY = 100_000;
/** Room is made for this share of the capacity at once, so that the list is not laid out again for every line. */
const EVICTED_SHARE = 0.01;
/** What may wait for the next frame; a hidden page has none. */
const MOST_WAITING = 5_000;
/** Characters that the name of a writer takes beside its line. */
export const SOURCE_WIDTH = 18;
/** Searching gives way to the page after this long. */
const SEARCH_SLICE_MS = 8;

interface LogModelOptions {
  capacity?: number;
  /** Calls back before the next frame is drawn. */
  schedule: (callback: () => void) => void;
}

/**
 * The log as the page holds it: a bounded run of lines under rising ids, what the filter lets through, and what the search
 * found. It notifies its readers at most once a frame, however fast lines come.
 */
export class LogModel {
  readonly #capacity: number;
  readonly #schedule: LogModelOptions["schedule"];
  readonly #ring: LogEntry[] = [];
  readonly #shown = createIdList();
  readonly #found = createIdList();
  readonly #notes = createIdList();
  readonly #listeners = new Set<() => void>();
  /** Of each writer and stream. */
  readonly #lastLevels = new Map<string, LogLevel | null>();
  readonly #seenStreams = new Set<LogLine["stream"]>();
  #waiting: (NewLogLine | NewLogNote)[] = [];
  #isScheduled = false;
  #firstId = 0;
  #nextId = 0;
  #dropped = 0;
  #longest = 0;
  #filter: LogFilter = { level: "any", stream: "any" };
  #query = "";
  #finder: Finder | null = null;
  #searchedTo = 0;
  #snapshot: LogSnapshot;

  constructor({ capacity = LOG_CAPACITY, schedule }: LogModelOptions) {
    this.#capacity = capacity;
    this.#schedule = schedule;
    this.#snapshot = this.#takeSnapshot();
  }

  append(entries: readonly (NewLogLine | NewLogNote)[]): void {
    if (entries.length === 0) return;
    for (const entry of entries) this.#waiting.push(entry);
    if (this.#waiting.length >= MOST_WAITING) this.#takeIn();
    this.#wake();
  }

  clear(): void {
    this.#waiting = [];
    this.#firstId = this.#nextId;
    this.#dropped = 0;
    this.#longest = 0;
    this.#seenStreams.clear();
    this.#ring.length = 0;
    this.#shown.clear();
    this.#notes.clear();
    this.#searchAgain();
    this.#wake();
  }

  setFilter(filter: LogFilter): void {
    if (filter.level === this.#filter.level && filter.stream === this.#filter.stream) return;
    this.#filter = filter;
    this.#shown.clear();
    for (let id = this.#firstId; id < this.#nextId; id += 1) {
      const entry = this.#entryOf(id);
      if (entry !== undefined && this.#isShown(entry)) this.#shown.push(id);
    }
    this.#searchAgain();
    this.#settle();
  }

  setQuery(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#finder = createFinder(query);
    this.#searchAgain();
    this.#settle();
  }

  entryAt(index: number): LogEntry | undefined {
    const id = this.#shown.at(index);
    return id === undefined ? undefined : this.#entryOf(id);
  }

  /** Where the entry is shown, or the first one after it. */
  indexFrom(id: number): number {
    return this.#shown.indexFrom(id);
  }

  get found(): Pick<IdList, "at" | "length" | "indexFrom"> {
    return this.#found;
  }

  /** All that is kept, oldest first. */
  *entries(): Iterable<LogEntry> {
    for (let id = this.#firstId; id < this.#nextId; id += 1) {
      const entry = this.#entryOf(id);
      if (entry !== undefined) yield entry;
    }
  }

  /** React calls this and `snapshot` without their object, so both are functions that keep it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): LogSnapshot => this.#snapshot;

  #entryOf(id: number): LogEntry | undefined {
    return this.#ring[id % this.#capacity];
  }

  #takeSnapshot(): LogSnapshot {
    return {
      shown: this.#shown.length,
      lines: this.#nextId - this.#firstId - this.#notes.length,
      linesShown: this.#shown.length - this.#notes.length,
      dropped: this.#dropped,
      found: this.#found.length,
      isSearching: this.#finder !== null && this.#searchedTo < this.#nextId,
      longest: this.#longest,
      hasBothStreams: this.#seenStreams.size > 1,
    };
  }

  #wake(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.#settle();
    });
  }

  /** Takes in what waits, searches for a while, and notifies. */
  #settle(): void {
    this.#takeIn();
    this.#search();
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
    if (this.#snapshot.isSearching) this.#wake();
  }

  #takeIn(): void {
    for (const entry of this.#waiting) {
      const id = this.#nextId;
      const kept = "note" in entry ? { ...entry, id } : this.#readLine(entry, id);
      this.#ring[id % this.#capacity] = kept;
      if ("note" in kept) this.#notes.push(id);
      if (this.#isShown(kept)) this.#shown.push(id);
      this.#nextId += 1;
    }
    this.#waiting = [];
    if (this.#nextId - this.#firstId > this.#capacity) this.#makeRoom();
  }

  #makeRoom(): void {
    const first = this.#nextId - this.#capacity + Math.floor(this.#capacity * EVICTED_SHARE);
    this.#dropped += first - this.#firstId - this.#notes.dropBelow(first);
    this.#firstId = first;
    this.#shown.dropBelow(first);
    this.#found.dropBelow(first);
  }

  #readLine(line: NewLogLine, id: number): LogLine {
    const plain = plainText(line.text);
    const writer = `${line.stream} ${line.source?.name ?? ""}`;
    const level = findLevel(plain)?.level ?? (isContinuation(plain) ? (this.#lastLevels.get(writer) ?? null) : null);
    this.#lastLevels.set(writer, level);
    this.#seenStreams.add(line.stream);
    this.#longest = Math.max(this.#longest, plain.length + (line.source === undefined ? 0 : SOURCE_WIDTH));
    return { ...line, id, plain, level };
  }

  #isShown(entry: LogEntry): boolean {
    const { level, stream } = this.#filter;
    if ("note" in entry) return true;
    if (stream !== "any" && entry.stream !== stream) return false;
    if (level === "any") return true;
    if (level === "info") return entry.level !== "debug";
    return entry.level === "error" || (level === "warn" && entry.level === "warn");
  }

  #search(): void {
    if (this.#finder === null) return;
    const until = performance.now() + SEARCH_SLICE_MS;
    for (let index = this.#shown.indexFrom(this.#searchedTo); index < this.#shown.length; index += 1) {
      const id = this.#shown.at(index) ?? this.#nextId;
      const entry = this.#entryOf(id);
      if (entry !== undefined && "plain" in entry && this.#finder.isIn(entry.plain)) this.#found.push(id);
      this.#searchedTo = id + 1;
      if (index % 256 === 255 && performance.now() > until) return;
    }
    this.#searchedTo = this.#nextId;
  }

  #searchAgain(): void {
    this.#found.clear();
    this.#searchedTo = this.#firstId;
  }
}
