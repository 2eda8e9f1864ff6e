import { ESCAPED_LETTER } from "../../../contract/field-filter.ts";
import type { LogLevel } from "../../../contract/log-level.ts";
import { withoutColours } from "../../../platform/text.ts";
import type { LogLine } from "../../../runtimes/runtime.ts";
import { hasFields, passesLevel, type Wanted } from "../line.ts";
import { linesOf, type OpenChunk } from "./chunk.ts";
import { hashesOf, mayContain } from "./grams.ts";

/** What is looked for, with its text in lower case and the hashes that a bitmap must have. */
export interface StoredQuery extends Omit<Wanted, "text" | "order"> {
  needle: string | undefined;
  hashes: readonly number[];
  /** What lines that meet the conditions have, unless they have {@link ESCAPED_LETTER}, and the hashes of that. */
  parts: readonly string[];
  partHashes: readonly number[];
}

/** A stored line that was found; its text is read when it is asked for. */
export interface StoredFound {
  atMs: number;
  /** Distinguishes lines of one container and time, and orders them. */
  ordinal: number;
  level: LogLevel | null;
  readLine(): LogLine;
}

/** More lines of one time in one chunk would share their numbers with those of the next chunk. */
const LINES_OF_ONE_TIME = 2 ** 20;

const ESCAPE_HASHES = hashesOf(ESCAPED_LETTER);

/** Whether a chunk can have lines that are looked for. */
export function mayHave({ head, index }: OpenChunk, { sinceMs, untilMs, hashes, partHashes }: StoredQuery): boolean {
  if (head.lastMs < sinceMs || head.firstMs >= untilMs || !mayContain(index, hashes)) return false;
  return mayContain(index, partHashes) || mayContain(index, ESCAPE_HASHES);
}

/** Whether the text of chunks must be read, and not only their times and levels. */
export function readsText({ needle, parts }: StoredQuery): boolean {
  return needle !== undefined || parts.length > 0;
}

/** Visits the lines of a chunk that are looked for, in order of time. */
export function findInChunk(chunk: OpenChunk, query: StoredQuery, visit: (found: StoredFound) => void): void {
  const matches = matchesOf(chunk, query);
  if (matches?.length === 0) return;
  const times = chunk.times();
  const count = matches?.length ?? times.length;
  let counted = 0;
  let ofTime = 0;
  for (let at = 0; at < count; at += 1) {
    const line = matches?.[at] ?? at;
    // How many lines before it have the same time.
    for (; counted <= line; counted += 1) ofTime = counted > 0 && times[counted] === times[counted - 1] ? ofTime + 1 : 0;
    const atMs = times[line] ?? 0;
    if (atMs < query.sinceMs || atMs >= query.untilMs) continue;
    const level = chunk.levelAt(line);
    if (!passesLevel(level, query.level)) continue;
    if (query.conditions.length > 0 && !hasFields(withoutColours(chunk.textAt(line)), query.conditions)) continue;
    const readLine = (): LogLine => ({ timestamp: new Date(atMs), stream: chunk.streamAt(line), text: chunk.textAt(line) });
    visit({ atMs, ordinal: chunk.head.number * LINES_OF_ONE_TIME + Math.min(ofTime, LINES_OF_ONE_TIME - 1), level, readLine });
  }
}

/** The lines that may be looked for by their text, in order; undefined: all of them. */
function matchesOf(chunk: OpenChunk, query: StoredQuery): number[] | undefined {
  if (!readsText(query)) return undefined;
  const { needle, parts } = query;
  if (needle?.includes("\n") === true) return [];
  if (chunk.head.hasColours) {
    if (needle === undefined) return undefined;
    return linesOf(chunk).flatMap(({ text }, line) => (withoutColours(text).toLowerCase().includes(needle) ? [line] : []));
  }
  const asked = needle === undefined ? parts : [needle, ...parts];
  const lowered = (asked.every(isAscii) ? chunk.asciiText() : chunk.text()).toLowerCase();
  const needles = [...(needle === undefined ? [] : [needle]), ...(lowered.includes(ESCAPED_LETTER) ? [] : parts)];
  const [longest, ...others] = needles.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : linesWith(lowered, longest, others);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** The lines of a text that have one part, found by it, and all others. */
function linesWith(text: string, part: string, others: readonly string[]): number[] {
  const matches: number[] = [];
  let line = 0;
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  for (let found = text.indexOf(part); found >= 0; found = lineEnd < 0 ? -1 : text.indexOf(part, lineEnd + 1)) {
    for (; lineEnd >= 0 && lineEnd < found; line += 1) {
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    const isMatch = others.length === 0 || hasAll(text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd), others);
    if (isMatch) matches.push(line);
  }
  return matches;
}

function hasAll(line: string, parts: readonly string[]): boolean {
  return parts.every((part) => line.includes(part));
}

/** The last lines of what `search` visits, which goes from the newest chunk to the oldest until `ends`; oldest first. */
export async function findLastLines(
  lines: number,
  search: (visit: (found: StoredFound) => void, ends: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<LogLine[]> {
  const enough = new AbortController();
  const found: StoredFound[] = [];
  function visit(line: StoredFound): void {
    found.push(line);
    if (found.length >= lines) enough.abort();
  }
  await search(visit, AbortSignal.any([signal, enough.signal]));
  return found
    .sort((one, other) => one.atMs - other.atMs || one.ordinal - other.ordinal)
    .slice(-lines)
    .map((line) => line.readLine());
}

/** Lines of several sources may come out of order by so much: pods of a workload, hosts with separate clocks. */
const OVERLAPS_MS = [10_000, 1_000, 0] as const;
/** Lines and characters that are compared at most, unless they have one time. */
const MOST_COMPARED = 50_000;
const MOST_COMPARED_CHARACTERS = 16_000_000;

/** Where reading a log continues, and which lines are stored already. */
export interface ResumePoint {
  since: Date;
  /** Whether this line is stored. Each line is answered so once. */
  isStored(line: LogLine): boolean;
  /** A new line came, and none that is stored: what was written between may be missing. */
  mayMissLines(): boolean;
}

/** Visits the lines that were stored from a moment on. */
type VisitSince = (sinceMs: number, visit: (found: StoredFound) => void, signal: AbortSignal) => Promise<unknown>;

/** Where to continue a log whose newest stored line is of `lastMs`: at `fromMs`, if its lines from then on may be missing. */
export async function findResumePoint(
  { lastMs, fromMs = lastMs }: { lastMs: number; fromMs?: number | undefined },
  visitSince: VisitSince,
  signal: AbortSignal,
): Promise<ResumePoint | undefined> {
  const isEarlier = fromMs < lastMs - OVERLAPS_MS[0];
  for (const overlapMs of isEarlier ? [lastMs - fromMs] : OVERLAPS_MS) {
    const sinceMs = Math.max(lastMs - overlapMs, 0);
    const stored = new Map<string, number>();
    let lines = 0;
    let characters = 0;
    const tooMany = new AbortController();
    const visit = ({ readLine }: StoredFound): void => {
      if (tooMany.signal.aborted) return;
      const line = readLine();
      lines += 1;
      characters += line.text.length;
      if ((lines > MOST_COMPARED || characters > MOST_COMPARED_CHARACTERS) && overlapMs > 0) return tooMany.abort();
      const key = keyOf(line);
      stored.set(key, (stored.get(key) ?? 0) + 1);
    };
    await visitSince(sinceMs, visit, AbortSignal.any([signal, tooMany.signal]));
    if (!tooMany.signal.aborted) return pointAt(new Date(sinceMs), { stored, lastMs });
    // Lines may be there twice then: rather than not at all.
    if (isEarlier) return pointAt(new Date(sinceMs), { stored: new Map(), lastMs });
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
