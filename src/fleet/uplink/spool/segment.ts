import {
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { recordsIn, type SpoolRecord } from "./record.ts";

/** Errors that say nothing about the contents of a file. */
const PASSING_ERRORS: ReadonlySet<unknown> = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM"]);

/** A file of the spool. */
export interface Segment extends SegmentFacts {
  path: string;
  bytes: number;
  /** How many of its records are still needed. */
  left: number;
  /** Whether it was read, so that `left` is exact. */
  known: boolean;
  /** Left by a crash and not read yet: its last seq and its count are not known. */
  leftOver: boolean;
}

interface FindOptions {
  onLost(events: number, why: "damage"): void;
  onUnreadable(error: unknown): void;
  nowMs: number;
}

/** undefined for a file of another program, or one that cannot be read: the other files must not suffer from it. */
export function findSegment(folder: string, name: string, { onLost, onUnreadable, nowMs }: FindOptions): Segment | undefined {
  const firstSeq = openedFirstSeq(name);
  try {
    const facts = firstSeq === undefined ? factsOf(name) : sealLeftOver(folder, name, onLost);
    if (facts === undefined) return undefined;
    const path = join(folder, sealedName(facts));
    return { ...facts, path, bytes: statSync(path).size, left: facts.count, known: false, leftOver: false };
  } catch (error) {
    if (firstSeq === undefined) return undefined;
    if (isPassing(error)) {
      onUnreadable(error);
      return {
        firstSeq,
        lastSeq: Infinity,
        count: 1,
        newestMs: nowMs,
        path: join(folder, name),
        bytes: 0,
        left: 1,
        known: false,
        leftOver: true,
      };
    }
    onLost(1, "damage");
    return undefined;
  }
}

/** For a file that a crash left: cuts off its torn end, and names it after its contents. */
function sealLeftOver(folder: string, name: string, onLost: FindOptions["onLost"]): SegmentFacts | undefined {
  const path = join(folder, name);
  const { records, damages, end } = recordsIn(readFileSync(path));
  if (damages > 0) onLost(damages, "damage");
  const facts = factsOfRecords(records);
  if (facts === undefined) {
    rmSync(path);
    return undefined;
  }
  truncateSync(path, end);
  renameSync(path, join(folder, sealedName(facts)));
  return facts;
}

export function factsOfRecords(records: readonly SpoolRecord[]): SegmentFacts | undefined {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const newestMs = records.reduce((newest, { observedAtMs }) => Math.max(newest, observedAtMs), -Infinity);
  return { firstSeq: first.seq, lastSeq: last.seq, count: records.length, newestMs };
}

export function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && PASSING_ERRORS.has(error.code);
}

/** The facts in the name of a segment file, so that a start need not read the file. */
export interface SegmentFacts {
  firstSeq: number;
  lastSeq: number;
  /** The number of its records. */
  count: number;
  /** When the newest of its events was observed. */
  newestMs: number;
}

const SEALED = /^(\d{16})-(\d{1,16})-(\d{1,10})-(-?\d{1,16})\.seg$/;
const OPEN = /^(\d{16})\.open$/;

/** The name of a file that gets no more records. */
function sealedName({ firstSeq, lastSeq, count, newestMs }: SegmentFacts): string {
  return `${digits(firstSeq)}-${lastSeq}-${count}-${Math.round(newestMs)}.seg`;
}

/** The name of the file that is written to; after a crash the file is read to find out what it contains. */
function openName(firstSeq: number): string {
  return `${digits(firstSeq)}.open`;
}

/** undefined when it is not the name of a sealed segment. */
function factsOf(name: string): SegmentFacts | undefined {
  const [, firstSeq, lastSeq, count, newestMs] = SEALED.exec(name) ?? [];
  if (firstSeq === undefined) return undefined;
  return { firstSeq: Number(firstSeq), lastSeq: Number(lastSeq), count: Number(count), newestMs: Number(newestMs) };
}

/** The first seq of the file that is written to; undefined for other names. */
function openedFirstSeq(name: string): number | undefined {
  const [, seq] = OPEN.exec(name) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

function digits(seq: number): string {
  return String(seq).padStart(16, "0");
}

/**
 * The file that is written to. What was appended survives the end of the process at once. It is flushed to disk after every append, without waiting:
 * a crash of the host may lose the latest records.
 */
export interface SegmentWriter {
  readonly path: string;
  /** Appends everything or nothing: throws when the disk refuses it. */
  append(bytes: Buffer): void;
  /** Gives the file its final name, and answers its path. */
  seal(facts: SegmentFacts): string;
  /** The same, after flushing it to disk. */
  sealNow(facts: SegmentFacts): string;
  /** Removes the file, to which nothing was appended. */
  discard(): void;
}

export function createSegmentWriter(folder: string, firstSeq: number): SegmentWriter {
  const path = join(folder, openName(firstSeq));
  const file = openSync(path, "w", 0o600);
  let length = 0;
  let syncing = false;
  let closed = false;

  function sync(): void {
    if (syncing) return;
    syncing = true;
    const asked = length;
    // The checksums show what is lost when the disk refuses.
    fdatasync(file, () => {
      syncing = false;
      if (asked < length) sync();
      else if (closed) closeSync(file);
    });
  }

  /** It is also found under its first name, but must then be read to find out what it contains. */
  function rename(facts: SegmentFacts): string {
    const sealed = join(folder, sealedName(facts));
    try {
      renameSync(path, sealed);
      return sealed;
    } catch {
      return path;
    }
  }

  function seal(facts: SegmentFacts): string {
    closed = true;
    if (!syncing) closeSync(file);
    return rename(facts);
  }

  return {
    path,
    append(bytes) {
      try {
        for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written, bytes.length - written, length + written);
      } catch (error) {
        ftruncateSync(file, length);
        throw error;
      }
      length += bytes.length;
      sync();
    },
    seal,
    sealNow(facts) {
      fdatasyncSync(file);
      return seal(facts);
    },
    discard() {
      closed = true;
      if (!syncing) closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
