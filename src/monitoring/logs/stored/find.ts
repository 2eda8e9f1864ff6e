import type { LogLevel } from "../../../contract/log-level.ts";
import { withoutColours } from "../../../platform/text.ts";
import type { LogLine } from "../../../runtimes/runtime.ts";
import { passesLevel, type Wanted } from "../line.ts";
import { linesOf, type OpenChunk } from "./chunk.ts";
import { mayContain } from "./grams.ts";

/** What is looked for, with its text in lower case and the hashes that a bitmap must have. */
export interface StoredQuery extends Omit<Wanted, "text" | "order"> {
  needle: string | undefined;
  hashes: readonly number[];
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

/** Whether a chunk can have lines that are looked for. */
export function mayHave({ head, index }: OpenChunk, { sinceMs, untilMs, needle, hashes }: StoredQuery): boolean {
  if (head.lastMs < sinceMs || head.firstMs >= untilMs) return false;
  return needle === undefined || mayContain(index, hashes);
}

/** Visits the lines of a chunk that are looked for, in order of time. */
export function findInChunk(chunk: OpenChunk, query: StoredQuery, visit: (found: StoredFound) => void): void {
  const matches = matchesOf(chunk, query.needle);
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
    const readLine = (): LogLine => ({ timestamp: new Date(atMs), stream: chunk.streamAt(line), text: chunk.textAt(line) });
    visit({ atMs, ordinal: chunk.head.number * LINES_OF_ONE_TIME + Math.min(ofTime, LINES_OF_ONE_TIME - 1), level, readLine });
  }
}

/** The lines with a text, in order; undefined: all of them. */
function matchesOf(chunk: OpenChunk, needle: string | undefined): number[] | undefined {
  if (needle === undefined) return undefined;
  if (needle.includes("\n")) return [];
  if (chunk.head.hasColours) {
    return linesOf(chunk).flatMap(({ text }, line) => (withoutColours(text).toLowerCase().includes(needle) ? [line] : []));
  }
  const lowered = chunk.text().toLowerCase();
  const matches: number[] = [];
  let line = 0;
  let lineEnd = lowered.indexOf("\n");
  for (let found = lowered.indexOf(needle); found >= 0; found = lineEnd < 0 ? -1 : lowered.indexOf(needle, lineEnd + 1)) {
    for (; lineEnd >= 0 && lineEnd < found; line += 1) lineEnd = lowered.indexOf("\n", lineEnd + 1);
    matches.push(line);
  }
  return matches;
}
