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
  /** Tells lines of one container and time apart, and orders them. */
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
function matchesOf(chunk: OpenChunk, { needle, parts }: StoredQuery): number[] | undefined {
  if (needle === undefined && parts.length === 0) return undefined;
  if (needle?.includes("\n") === true) return [];
  if (chunk.head.hasColours) {
    if (needle === undefined) return undefined;
    return linesOf(chunk).flatMap(({ text }, line) => (withoutColours(text).toLowerCase().includes(needle) ? [line] : []));
  }
  const lowered = chunk.text().toLowerCase();
  const needles = [...(needle === undefined ? [] : [needle]), ...(lowered.includes(ESCAPED_LETTER) ? [] : parts)];
  const [longest, ...others] = needles.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : linesWith(lowered, longest, others);
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
