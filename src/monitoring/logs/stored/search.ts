import { nextTurnWhenDue } from "../../../platform/clock.ts";
import type { Order } from "../line.ts";
import type { OpenChunk } from "./chunk.ts";
import { findInChunk, type StoredFound, type StoredQuery } from "./find.ts";
import { createPartQueue } from "./part-queue.ts";

/** A stretch of a stored log, by the times of its lines: a file, a chunk, or the lines in memory. */
export interface LogPart {
  firstMs: number;
  lastMs: number;
  /** Of its last chunk. */
  number: number;
  /** How much there is to read, in chunks. */
  weight: number;
  open(query: StoredQuery, room: Room): Promise<OpenedFile | OpenedChunk>;
}

/** Room for the bytes of chunks that wait to be searched, in bytes; those that find none are read again. */
export interface Room {
  /** False: there is not so much left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** The chunks of a file that may have lines that are looked for, and how much text is in the others. */
export interface OpenedFile {
  parts: LogPart[];
  lines: number;
  characters: number;
}

/** undefined: it was dropped meanwhile. */
export interface OpenedChunk {
  chunk: OpenChunk | undefined;
}

/** How far one log was searched. */
export interface Searched {
  lines: number;
  characters: number;
  /** Chunks that could not be read. */
  damaged: number;
  /** Parts that were not searched, files or chunks of these. */
  left: number;
  /** Why a part could not be read, the first time. */
  error: unknown;
}

export interface SearchEnd<Owner> {
  searched: ReadonlyMap<Owner, Searched>;
  /** Where it was ended because that was enough: every line before this moment, in the order of the search, was visited. */
  endedAtMs: number | undefined;
}

export interface SearchOptions<Owner> {
  order: Order;
  signal: AbortSignal;
  visit: (found: StoredFound, owner: Owner) => void;
  /** Whether the lines from this moment on, in the order of the search, need not be visited. */
  isEnough?: ((nextMs: number) => boolean) | undefined;
}

/** What is read at once, by its weight; less at the beginning, where the first may be enough. As much is searched meanwhile. */
const MOST_AT_ONCE = 16;
const ROOM_BYTES = 32 * 1024 * 1024;

/**
 * Visits the lines that are looked for in several logs: the chunks with the newest lines first, or those with the oldest, over all logs, and in a chunk the
 * lines in order of time. A log of which a part cannot be read is searched to its end nevertheless.
 */
export async function searchParts<Owner>(
  logs: ReadonlyMap<Owner, readonly LogPart[]>,
  query: StoredQuery,
  { order, signal, visit, isEnough = () => false }: SearchOptions<Owner>,
): Promise<SearchEnd<Owner>> {
  const searched = new Map<Owner, Searched>();
  const queue = createPartQueue<Waiting<Owner>>(order);
  for (const [owner, parts] of logs) {
    const progress = { lines: 0, characters: 0, damaged: 0, left: parts.length, error: undefined };
    searched.set(owner, progress);
    for (const part of parts) queue.add(part, { owner, progress, part });
  }

  async function search({ owner, progress }: Waiting<Owner>, opened: OpenedFile | OpenedChunk): Promise<void> {
    await nextTurnWhenDue();
    if ("parts" in opened) {
      progress.lines += opened.lines;
      progress.characters += opened.characters;
      progress.left += opened.parts.length;
      for (const part of opened.parts) queue.add(part, { owner, progress, part });
      return;
    }
    const { chunk } = opened;
    if (chunk === undefined) return;
    progress.lines += chunk.head.lines;
    progress.characters += chunk.head.textBytes;
    if (chunk.isWhole()) findInChunk(chunk, query, (found) => visit(found, owner));
    else progress.damaged += 1;
  }

  const room = createRoom(ROOM_BYTES);
  function open(taken: Waiting<Owner>[]): Opening<Owner> {
    return { taken, opened: Promise.allSettled(taken.map(({ part }) => part.open(query, room))) };
  }

  let ahead: Opening<Owner> | undefined;
  /** The end before this part, if it is one. */
  function endBefore(part: LogPart | undefined): SearchEnd<Owner> | undefined {
    const nextMs = earliest(order, [part, ahead?.taken[0]?.part, queue.first()]);
    if (nextMs === undefined || signal.aborted) return { searched, endedAtMs: undefined };
    return isEnough(nextMs) ? { searched, endedAtMs: nextMs } : undefined;
  }

  for (let atOnce = 1; ; atOnce = Math.min(2 * atOnce, MOST_AT_ONCE)) {
    const end = endBefore(undefined);
    if (end !== undefined) return end;
    const { taken, opened } = ahead ?? open(queue.take(atOnce));
    const results = await opened;
    ahead = atOnce < MOST_AT_ONCE ? undefined : open(queue.take(atOnce));
    for (const [index, each] of taken.entries()) {
      const endHere = endBefore(each.part);
      if (endHere !== undefined) return endHere;
      try {
        const result = results[index];
        if (result?.status === "rejected") throw result.reason;
        if (result !== undefined) await search(each, result.value);
      } catch (error) {
        each.progress.error ??= error;
      }
      each.progress.left -= 1;
    }
  }
}

/** A part that is not searched yet. */
interface Waiting<Owner> {
  owner: Owner;
  progress: Searched;
  part: LogPart;
}

/** Parts that are being read. */
interface Opening<Owner> {
  taken: Waiting<Owner>[];
  opened: Promise<PromiseSettledResult<OpenedFile | OpenedChunk>[]>;
}

/** The first moment, in this order, of parts; undefined without any. */
function earliest(order: Order, parts: readonly (Pick<LogPart, "firstMs" | "lastMs"> | undefined)[]): number | undefined {
  const there = parts.filter((part) => part !== undefined);
  if (there.length === 0) return undefined;
  return order === "newest" ? Math.max(...there.map(({ lastMs }) => lastMs)) : Math.min(...there.map(({ firstMs }) => firstMs));
}

function createRoom(bytes: number): Room {
  let left = bytes;
  return {
    take(asked) {
      if (asked > left) return false;
      left -= asked;
      return true;
    },
    give(back) {
      left += back;
    },
  };
}
