import { mkdir, open, readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { nextTurnWhenDue } from "../../../platform/time-slice.ts";
import type { Order } from "../line.ts";
import {
  chunkInMemory,
  type ChunkHead,
  encodeChunk,
  linesOf,
  openChunk,
  type OpenChunk,
  readHeads,
  type SealedChunk,
  type StoredLine,
} from "./chunk.ts";
import { findInChunk, mayHave, type StoredFound, type StoredQuery } from "./find.ts";

/** Text of a chunk: smaller ones compress worse, of larger ones a bitmap says less. */
const CHUNK_CHARACTERS = 256 * 1024;
/** A file that is larger is followed by another: the oldest go file by file. */
const FILE_BYTES = 4 * 1024 * 1024;
const CURRENT = "current.log";
/** Lines that are in no chunk of {@link CURRENT} yet. */
const TAIL = "tail.log";
const CLOSED = /^(\d{1,10})-(\d{1,16})-(\d{1,16})\.log$/;
/** A file of sealed chunks. */
interface LogFile {
  name: string;
  bytes: number;
  firstMs: number;
  lastMs: number;
  /** The number of the chunk after its last. */
  next: number;
}

/** What was searched. */
export interface Searched {
  lines: number;
  characters: number;
  /** Chunks that could not be read. */
  damaged: number;
}

/** The stored log of one container: files of compressed chunks, and the newest lines in memory and in a file that is not compressed well. */
export interface ContainerLog {
  /** Reads what the folder holds, which must be there; answers how many bytes at the end of its files were torn and are dropped. */
  open(): Promise<number>;
  /** Takes lines; they are on the disk after {@link flush}. */
  add(line: StoredLine): void;
  /** What is in memory, in characters, and how much of it is in no file. */
  held(): { characters: number; unwritten: number };
  flush(): Promise<void>;
  /** Makes a chunk of the lines in memory. */
  seal(): Promise<void>;
  /** Whether the lines in memory are enough for a chunk. */
  isFull(): boolean;
  /** Seals and closes what began before this moment. */
  closeBefore(beforeMs: number): Promise<void>;
  bytes(): number;
  /** Of all lines; undefined when there are none. */
  span(): { firstMs: number; lastMs: number } | undefined;
  /** When the newest line of its oldest file was written; undefined when there is no file. */
  oldestMs(): number | undefined;
  dropOldest(): Promise<void>;
  /** Visits the lines that are looked for, chunk by chunk in this order, in a chunk by time. */
  search(query: StoredQuery, options: { order: Order; signal: AbortSignal }, visit: (found: StoredFound) => void): Promise<Searched>;
}

/** Calls of what writes must not overlap. */
export function createContainerLog(folder: string): ContainerLog {
  let closed: LogFile[] = [];
  let current = emptyFile();
  let lines: StoredLine[] = [];
  let characters = 0;
  let written = 0;
  let unwritten = 0;
  let tailBytes = 0;
  /** Of the next chunk. */
  let number = 1;

  /** The chunks of a file; none of one that is not there. */
  async function readChunks(name: string): Promise<{ chunks: SealedChunk[]; fileBytes: number }> {
    const file = await readFile(join(folder, name)).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    return { chunks: readHeads(file).map((head) => openChunk(file, head)), fileBytes: file.length };
  }

  /** Chunks up to the first that is not whole; what follows is cut off. */
  async function recover(name: string): Promise<{ chunks: SealedChunk[]; bytes: number; torn: number }> {
    const { chunks, fileBytes } = await readChunks(name);
    // A chunk is flushed before the next one is written: only the last can be torn.
    const whole = chunks.at(-1)?.isWhole() === false ? chunks.slice(0, -1) : chunks;
    const bytes = whole.reduce((sum, { head }) => sum + head.bytes, 0);
    if (bytes < fileBytes) await truncate(join(folder, name), bytes);
    return { chunks: whole, bytes, torn: fileBytes - bytes };
  }

  async function write(name: string, at: number, bytes: Uint8Array, { isSynced }: { isSynced: boolean }): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(join(folder, name), at === 0 ? "w" : "r+", 0o600);
    try {
      await file.write(bytes, 0, bytes.length, at);
      // An attempt that failed may have left more.
      await file.truncate(at + bytes.length);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
  }

  async function closeCurrent(): Promise<void> {
    if (current.bytes === 0) return;
    const { firstMs, lastMs } = current;
    const name = `${number}-${firstMs}-${lastMs}.log`;
    await rename(join(folder, CURRENT), join(folder, name));
    Object.assign(current, { name, next: number });
    closed.push(current);
    current = emptyFile();
  }

  async function seal(): Promise<void> {
    if (lines.length === 0) return;
    const taken = lines.length;
    const chunk = encodeChunk(inOrder(lines), { number, isIndexed: true });
    await write(CURRENT, current.bytes, chunk, { isSynced: true });
    const [head] = readHeads(chunk);
    // The same object: a search may hold it.
    if (head !== undefined) Object.assign(current, withChunk(current, head));
    number += 1;
    lines = lines.slice(taken);
    characters = sizeOf(lines);
    unwritten = characters;
    written = 0;
    tailBytes = 0;
    await rm(join(folder, TAIL), { force: true });
    if (current.bytes >= FILE_BYTES) await closeCurrent();
  }

  /** Of a file that is closed meanwhile too; one that was dropped has none. */
  async function readFileOf(file: LogFile): Promise<OpenChunk[]> {
    const name = file.name;
    const { chunks } = await readChunks(name);
    return chunks.length > 0 || file.name === name ? chunks : (await readChunks(file.name)).chunks;
  }

  const files = (): LogFile[] => (current.bytes === 0 ? closed : [...closed, current]);

  return {
    async open() {
      const names = await readdir(folder);
      closed = names.flatMap(closedFile).toSorted((one, other) => one.next - other.next);
      for (const file of closed) file.bytes = (await stat(join(folder, file.name))).size;
      const sealed = await recover(CURRENT);
      for (const { head } of sealed.chunks) current = withChunk(current, head);
      number = Math.max(1, ...closed.map(({ next }) => next), ...sealed.chunks.map(({ head }) => head.number + 1));

      const tail = await recover(TAIL);
      tailBytes = tail.bytes;
      // What was sealed before the file could be removed is there already.
      lines = tail.chunks.flatMap((chunk) => (chunk.head.number < number || !chunk.isWhole() ? [] : linesOf(chunk)));
      written = lines.length;
      characters = sizeOf(lines);
      return sealed.torn + tail.torn;
    },
    add(line) {
      lines.push(line);
      characters += sizeOf([line]);
      unwritten += sizeOf([line]);
    },
    held: () => ({ characters, unwritten }),
    isFull: () => characters >= CHUNK_CHARACTERS,
    async flush() {
      const fresh = lines.slice(written);
      if (fresh.length === 0) return;
      const chunk = encodeChunk(inOrder(fresh), { number, isIndexed: false });
      await write(TAIL, tailBytes, chunk, { isSynced: false });
      tailBytes += chunk.length;
      written += fresh.length;
      unwritten -= sizeOf(fresh);
    },
    seal,
    async closeBefore(beforeMs) {
      if (lines.some(({ atMs }) => atMs < beforeMs)) await seal();
      if (current.bytes > 0 && current.firstMs < beforeMs) await closeCurrent();
    },
    bytes: () => files().reduce((sum, { bytes }) => sum + bytes, tailBytes),
    span() {
      const times = [...files(), ...lines.map(({ atMs }) => ({ firstMs: atMs, lastMs: atMs }))];
      if (times.length === 0) return undefined;
      return {
        firstMs: times.reduce((first, { firstMs }) => Math.min(first, firstMs), Number.POSITIVE_INFINITY),
        lastMs: times.reduce((last, each) => Math.max(last, each.lastMs), 0),
      };
    },
    oldestMs: () => files()[0]?.lastMs,
    async dropOldest() {
      if (closed.length === 0) await closeCurrent();
      const [oldest] = closed;
      if (oldest === undefined) return;
      await rm(join(folder, oldest.name), { force: true });
      closed = closed.slice(1);
    },
    async search(query, { order, signal }, visit) {
      const searched: Searched = { lines: 0, characters: 0, damaged: 0 };
      const newest = lines.length === 0 ? [] : [chunkInMemory(inOrder(lines), number)];
      const isAsked = ({ firstMs, lastMs }: LogFile): boolean => lastMs >= query.sinceMs && firstMs < query.untilMs;
      // Of what is sealed while it searches, it has the lines already.
      const sealed = files()
        .filter(isAsked)
        .map((file) => ({ file, before: number }));
      const parts = [
        ...sealed.map(
          ({ file, before }) =>
            async () =>
              (await readFileOf(file)).filter(({ head }) => head.number < before),
        ),
        () => newest,
      ];
      for (const read of order === "newest" ? parts.toReversed() : parts) {
        const chunks = await read();
        for (const chunk of order === "newest" ? chunks.toReversed() : chunks) {
          if (signal.aborted) return searched;
          searched.lines += chunk.head.lines;
          searched.characters += chunk.head.textBytes;
          if (!mayHave(chunk, query)) continue;
          await nextTurnWhenDue();
          if (chunk.isWhole()) findInChunk(chunk, query, visit);
          else searched.damaged += 1;
        }
      }
      return searched;
    },
  };
}

function emptyFile(): LogFile {
  return { name: CURRENT, bytes: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY, next: 0 };
}

function withChunk(file: LogFile, head: ChunkHead): LogFile {
  return {
    ...file,
    bytes: file.bytes + head.bytes,
    firstMs: Math.min(file.firstMs, head.firstMs),
    lastMs: Math.max(file.lastMs, head.lastMs),
  };
}

function closedFile(name: string): LogFile[] {
  const [, next, firstMs, lastMs] = CLOSED.exec(name) ?? [];
  return next === undefined ? [] : [{ name, bytes: 0, next: Number(next), firstMs: Number(firstMs), lastMs: Number(lastMs) }];
}

function inOrder(lines: readonly StoredLine[]): StoredLine[] {
  return lines.toSorted((one, other) => one.atMs - other.atMs);
}

/** In characters. */
function sizeOf(lines: readonly StoredLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
