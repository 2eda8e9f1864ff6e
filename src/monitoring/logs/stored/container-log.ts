import { mkdir, readdir, rename, rm, stat, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { nextTurnWhenDue } from "../../../platform/clock.ts";
import type { Order } from "../line.ts";
import {
  chunkInMemory,
  type ChunkHead,
  encodeChunk,
  linesOf,
  type OpenChunk,
  readHeads,
  type StoredLine,
  openChunk,
  type SealedChunk,
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

/** The chunks of a file; none of one that is not there. */
async function readChunks(path: string): Promise<{ chunks: SealedChunk[]; fileBytes: number }> {
  const file = await readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  });
  return { chunks: readHeads(file).map((head) => openChunk(file, head)), fileBytes: file.length };
}

/** Chunks up to the first that is not whole; what follows is cut off. */
async function recover(path: string): Promise<{ chunks: SealedChunk[]; bytes: number; torn: number }> {
  const { chunks, fileBytes } = await readChunks(path);
  // A chunk is flushed before the next one is written: only the last can be torn.
  const whole = chunks.at(-1)?.isWhole() === false ? chunks.slice(0, -1) : chunks;
  const bytes = whole.reduce((sum, { head }) => sum + head.bytes, 0);
  if (bytes < fileBytes) await truncate(path, bytes);
  return { chunks: whole, bytes, torn: fileBytes - bytes };
}

/** Writes a chunk at that place of the file, which then ends with it. */
async function writeAt(path: string, at: number, bytes: Uint8Array, { isSynced }: { isSynced: boolean }): Promise<void> {
  const file = await open(path, at === 0 ? "w" : "r+", 0o600);
  try {
    await file.write(bytes, 0, bytes.length, at);
    // An attempt that failed may have left more.
    await file.truncate(at + bytes.length);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * The stored log of one container: files of compressed chunks, and the newest lines in memory and in a file that is not compressed well. Calls of
 * what writes must not overlap.
 */
export class ContainerLog {
  readonly #folder: string;
  #closed: LogFile[] = [];
  #current = emptyFile();
  #lines: StoredLine[] = [];
  #characters = 0;
  #written = 0;
  #unwritten = 0;
  #tailBytes = 0;
  /** Of the next chunk. */
  #number = 1;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads what the folder holds, which must be there; answers how many bytes at the end of its files were torn and are dropped. */
  async open(): Promise<number> {
    const names = await readdir(this.#folder);
    this.#closed = names.flatMap(closedFile).toSorted((one, other) => one.next - other.next);
    for (const file of this.#closed) file.bytes = (await stat(this.#pathOf(file.name))).size;
    const sealed = await recover(this.#pathOf(CURRENT));
    for (const { head } of sealed.chunks) this.#current = withChunk(this.#current, head);
    this.#number = Math.max(1, ...this.#closed.map(({ next }) => next), ...sealed.chunks.map(({ head }) => head.number + 1));

    const tail = await recover(this.#pathOf(TAIL));
    this.#tailBytes = tail.bytes;
    // What was sealed before the file could be removed is there already.
    this.#lines = tail.chunks.flatMap((chunk) => (chunk.head.number < this.#number || !chunk.isWhole() ? [] : linesOf(chunk)));
    this.#written = this.#lines.length;
    this.#characters = sizeOf(this.#lines);
    return sealed.torn + tail.torn;
  }

  /** Takes lines; they are on the disk after {@link flush}. */
  add(line: StoredLine): void {
    this.#lines.push(line);
    this.#characters += sizeOf([line]);
    this.#unwritten += sizeOf([line]);
  }

  /** What is in memory, in characters, and how much of it is in no file. */
  held(): { characters: number; unwritten: number } {
    return { characters: this.#characters, unwritten: this.#unwritten };
  }

  /** Whether the lines in memory are enough for a chunk. */
  isFull(): boolean {
    return this.#characters >= CHUNK_CHARACTERS;
  }

  async flush(): Promise<void> {
    const fresh = this.#lines.slice(this.#written);
    if (fresh.length === 0) return;
    const chunk = encodeChunk(inOrder(fresh), { number: this.#number, isIndexed: false });
    await this.#write(TAIL, this.#tailBytes, chunk, { isSynced: false });
    this.#tailBytes += chunk.length;
    this.#written += fresh.length;
    this.#unwritten -= sizeOf(fresh);
  }

  /** Makes a chunk of the lines in memory. */
  async seal(): Promise<void> {
    if (this.#lines.length === 0) return;
    const taken = this.#lines.length;
    const chunk = encodeChunk(inOrder(this.#lines), { number: this.#number, isIndexed: true });
    await this.#write(CURRENT, this.#current.bytes, chunk, { isSynced: true });
    const [head] = readHeads(chunk);
    // The same object: a search may hold it.
    if (head !== undefined) Object.assign(this.#current, withChunk(this.#current, head));
    this.#number += 1;
    this.#lines = this.#lines.slice(taken);
    this.#characters = sizeOf(this.#lines);
    this.#unwritten = this.#characters;
    this.#written = 0;
    this.#tailBytes = 0;
    await rm(this.#pathOf(TAIL), { force: true });
    if (this.#current.bytes >= FILE_BYTES) await this.#closeCurrent();
  }

  /** Seals and closes what began before this moment. */
  async closeBefore(beforeMs: number): Promise<void> {
    if (this.#lines.some(({ atMs }) => atMs < beforeMs)) await this.seal();
    if (this.#current.bytes > 0 && this.#current.firstMs < beforeMs) await this.#closeCurrent();
  }

  bytes(): number {
    return this.#files().reduce((sum, { bytes }) => sum + bytes, this.#tailBytes);
  }

  /** Of all lines; undefined when there are none. */
  span(): { firstMs: number; lastMs: number } | undefined {
    const times = [...this.#files(), ...this.#lines.map(({ atMs }) => ({ firstMs: atMs, lastMs: atMs }))];
    if (times.length === 0) return undefined;
    return {
      firstMs: times.reduce((first, { firstMs }) => Math.min(first, firstMs), Number.POSITIVE_INFINITY),
      lastMs: times.reduce((last, each) => Math.max(last, each.lastMs), 0),
    };
  }

  /** When the newest line of its oldest file was written; undefined when there is no file. */
  oldestMs(): number | undefined {
    return this.#files()[0]?.lastMs;
  }

  async dropOldest(): Promise<void> {
    if (this.#closed.length === 0) await this.#closeCurrent();
    const [oldest] = this.#closed;
    if (oldest === undefined) return;
    await rm(this.#pathOf(oldest.name), { force: true });
    this.#closed = this.#closed.slice(1);
  }

  /** Visits the lines that are looked for, chunk by chunk in this order, in a chunk by time. */
  async search(
    query: StoredQuery,
    { order, signal }: { order: Order; signal: AbortSignal },
    visit: (found: StoredFound) => void,
  ): Promise<Searched> {
    const searched: Searched = { lines: 0, characters: 0, damaged: 0 };
    const parts = this.#partsOf(query);
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
  }

  /** Readers of the files that are asked for, and of the lines in memory; of what is sealed meanwhile, these have the lines already. */
  #partsOf({ sinceMs, untilMs }: StoredQuery): (() => OpenChunk[] | Promise<OpenChunk[]>)[] {
    const before = this.#number;
    const newest = this.#lines.length === 0 ? [] : [chunkInMemory(inOrder(this.#lines), before)];
    const asked = this.#files().filter(({ firstMs, lastMs }) => lastMs >= sinceMs && firstMs < untilMs);
    return [...asked.map((file) => async () => (await this.#readFileOf(file)).filter(({ head }) => head.number < before)), () => newest];
  }

  #files(): LogFile[] {
    return this.#current.bytes === 0 ? this.#closed : [...this.#closed, this.#current];
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Of a file that is closed meanwhile too; one that was dropped has none. */
  async #readFileOf(file: LogFile): Promise<OpenChunk[]> {
    const name = file.name;
    const { chunks } = await readChunks(this.#pathOf(name));
    return chunks.length > 0 || file.name === name ? chunks : (await readChunks(this.#pathOf(file.name))).chunks;
  }

  async #write(name: string, at: number, bytes: Uint8Array, options: { isSynced: boolean }): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeAt(this.#pathOf(name), at, bytes, options);
  }

  async #closeCurrent(): Promise<void> {
    const closing = this.#current;
    if (closing.bytes === 0) return;
    const { firstMs, lastMs } = closing;
    const name = `${this.#number}-${firstMs}-${lastMs}.log`;
    await rename(this.#pathOf(CURRENT), this.#pathOf(name));
    Object.assign(closing, { name, next: this.#number });
    this.#closed.push(closing);
    this.#current = emptyFile();
  }
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
