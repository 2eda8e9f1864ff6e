import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { chunkInMemory, type ChunkHead, encodeChunk, linesOf, openChunk, readHeads, type StoredLine } from "./chunk.ts";
import { readAt, recover, SourceFile, writeAt } from "./files.ts";
import { mayHave, readsText, type StoredQuery } from "./find.ts";
import type { LogPart, OpenedChunk, OpenedFile, Room } from "./search.ts";

/** Text of a chunk: smaller ones compress worse, of larger ones a bitmap says less. */
export const CHUNK_CHARACTERS = 256 * 1024;
/** More than this is in several chunks: it is there when nothing could be written for a while. */
const LARGEST_CHUNK_CHARACTERS = 4 * CHUNK_CHARACTERS;
/** A file that is larger is followed by another: the oldest go file by file. */
const FILE_BYTES = 4 * 1024 * 1024;
/** How much more there is to read than of a chunk. */
const WEIGHT_OF_FILE = 4;
const CURRENT = "current.log";
/** Lines that are in no chunk of {@link CURRENT} yet. */
const TAIL = "tail.log";
/** Which container the newest lines are of. */
const SOURCE = "source";
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

/**
 * The stored log of one container: files of compressed chunks, and the newest lines in memory and in a file that is not compressed well. Calls of
 * what writes must not overlap.
 */
export class ContainerLog {
  /** The container that the newest lines are of. */
  readonly source: SourceFile;
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
    this.source = new SourceFile(this.#pathOf(SOURCE));
  }

  /** Reads what the folder holds, which must be there; answers how many bytes at the end of its files were torn and are dropped. */
  async open(): Promise<number> {
    const names = await readdir(this.#folder);
    await this.source.open();
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
    if (fresh.length === 0) return this.source.write();
    const chunk = encodeChunk(inOrder(fresh), { number: this.#number, isIndexed: false });
    await this.#write(TAIL, this.#tailBytes, chunk, { isSynced: false });
    this.#tailBytes += chunk.length;
    this.#written += fresh.length;
    this.#unwritten -= sizeOf(fresh);
    // Those that came meanwhile are not written yet.
    if (this.#unwritten === 0) await this.source.write();
  }

  /** Makes chunks of the lines in memory. */
  async seal(): Promise<void> {
    // Lines that come meanwhile are left for the next time.
    for (let left = this.#lines.length; left > 0;) left -= await this.#sealFirst(left);
    if (this.#unwritten === 0) await this.source.write();
  }

  /** Makes a chunk of the first of so many lines; answers how many it has. What is in the file of new lines is less than a chunk, and so in the first one. */
  async #sealFirst(most: number): Promise<number> {
    const lines = firstOf(this.#lines.slice(0, most), LARGEST_CHUNK_CHARACTERS);
    const taken = lines.length;
    const chunk = encodeChunk(inOrder(lines), { number: this.#number, isIndexed: true });
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
    return taken;
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
  span(): Span | undefined {
    const files = this.#files();
    return files.length + this.#lines.length === 0 ? undefined : spanOf([...files, spanOfLines(this.#lines)]);
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

  /** The files that may have lines of that time, and the lines in memory; of what is sealed meanwhile, these have the lines already. */
  parts({ sinceMs, untilMs }: Pick<StoredQuery, "sinceMs" | "untilMs">): LogPart[] {
    const before = this.#number;
    const asked = this.#files().filter(({ firstMs, lastMs }) => lastMs >= sinceMs && firstMs < untilMs);
    const files = asked.map((file) => this.#partOfFile(file, before));
    return this.#lines.length === 0 ? files : [...files, partInMemory(this.#lines, before)];
  }

  #partOfFile(file: LogFile, before: number): LogPart {
    const { firstMs, lastMs, next } = file;
    const open = async (query: StoredQuery, room: Room): Promise<OpenedFile> => {
      const opened: OpenedFile = { parts: [], lines: 0, characters: 0 };
      const read = await this.#read(file, { offset: 0, bytes: file.bytes });
      for (const head of read === undefined ? [] : readHeads(read)) {
        if (head.number >= before) break;
        if (read !== undefined && mayHave(openChunk(read, head), query)) {
          const isHeld = room.take(head.bytes);
          // A copy: the others of its file need not be kept.
          const held = isHeld ? Buffer.from(read.subarray(head.offset, head.offset + head.bytes)) : undefined;
          opened.parts.push(this.#partOfChunk(file, head, held));
        } else {
          opened.lines += head.lines;
          opened.characters += head.textBytes;
        }
      }
      return opened;
    };
    return { firstMs, lastMs, number: (next === 0 ? before : next) - 1, weight: WEIGHT_OF_FILE, open };
  }

  #partOfChunk(file: LogFile, head: ChunkHead, held: Buffer | undefined): LogPart {
    const { firstMs, lastMs, number } = head;
    const open = async (query: StoredQuery, room: Room): Promise<OpenedChunk> => {
      if (held !== undefined) room.give(head.bytes);
      const bytes = held ?? (await this.#read(file, head));
      const chunk = bytes && openChunk(bytes, { ...head, offset: 0 });
      if (chunk?.isWhole() === true && readsText(query)) await chunk.unpack();
      return { chunk };
    };
    return { firstMs, lastMs, number, weight: 1, open };
  }

  #files(): LogFile[] {
    return this.#current.bytes === 0 ? this.#closed : [...this.#closed, this.#current];
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Of a file that was dropped there is nothing. One that is closed meanwhile has another name then, and another file may have its name. */
  async #read(file: LogFile, place: { offset: number; bytes: number }): Promise<Buffer | undefined> {
    const { name } = file;
    const read = await readAt(this.#pathOf(name), place);
    return file.name === name ? read : readAt(this.#pathOf(file.name), place);
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

/** Those that are there now. */
function partInMemory(lines: readonly StoredLine[], number: number): LogPart {
  const count = lines.length;
  return { ...spanOfLines(lines), number, weight: 1, open: async () => ({ chunk: chunkInMemory(inOrder(lines.slice(0, count)), number) }) };
}

interface Span {
  firstMs: number;
  lastMs: number;
}

function spanOfLines(lines: readonly StoredLine[]): Span {
  return {
    firstMs: lines.reduce((first, { atMs }) => Math.min(first, atMs), Number.POSITIVE_INFINITY),
    lastMs: lines.reduce((last, { atMs }) => Math.max(last, atMs), Number.NEGATIVE_INFINITY),
  };
}

function spanOf(spans: readonly Span[]): Span {
  return {
    firstMs: spans.reduce((first, { firstMs }) => Math.min(first, firstMs), Number.POSITIVE_INFINITY),
    lastMs: spans.reduce((last, { lastMs }) => Math.max(last, lastMs), Number.NEGATIVE_INFINITY),
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

/** The first lines with at most so many characters, one line at least. */
function firstOf(lines: readonly StoredLine[], characters: number): StoredLine[] {
  let left = characters;
  const end = lines.findIndex((line) => (left -= sizeOf([line])) < 0);
  return end < 0 ? [...lines] : lines.slice(0, Math.max(end, 1));
}
