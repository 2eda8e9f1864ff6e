import { readdirSync, readFileSync, rmSync } from "node:fs";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { makeFolder } from "../../../platform/files.ts";
import { headerOf, recordBytes, recordsIn, type SpoolRecord } from "./record.ts";
import {
  factsOfRecords,
  findSegment,
  isPassing,
  type Segment,
  type SegmentFacts,
  createSegmentWriter,
  type SegmentWriter,
} from "./segment.ts";

const LARGEST_SEGMENT = 2 * 1024 * 1024;
/** The oldest events are dropped by whole segments, so each is a small part of the budget. */
const SEGMENTS_IN_BUDGET = 16;

/** How long, and how often, a segment that the disk refuses to read is tried again before its events count as damaged. */
const UNREADABLE_MS = 10 * MINUTE_MS;
const READ_AGAIN_MS = 1000;
export interface DiskOptions {
  folder: string;
  clock: Clock;
  maxBytes: number;
  /** Everything up to this seq was acknowledged or given up. */
  doneSeq: number;
  /** Events were lost: beyond the budget, too old, or damaged. */
  onLost(events: number, why: "budget" | "age" | "damage"): void;
  /** A segment cannot be read at present; it is tried again. */
  onUnreadable(error: unknown): void;
}

/** The part of the spool that is in files: segments, oldest first, of which the last is written to. Synchronous; throws only where stated. */
export interface Disk {
  /** Answers how many of the records were written; the disk refused the others. Drops the oldest to stay within the budget. */
  append(records: readonly SpoolRecord[]): { written: number; error: unknown };
  /** The first record after a seq; `unreadable` while it is in a segment that cannot be read at present. */
  after(seq: number): SpoolRecord | "unreadable" | undefined;
  /** Removes everything up to this seq. */
  remove(seq: number): void;
  /** Drops the segments in which every event is older. */
  dropOlderThan(ms: number): void;
  /** How many records wait, and the size of their files. */
  readonly count: number;
  readonly bytes: number;
  /** Nothing in it has a lower seq; undefined when it is empty. */
  readonly firstSeq: number | undefined;
  /** The highest seq in it; 0 when it is empty. */
  readonly lastSeq: number;
  /** When it returns, everything is on disk. */
  close(): void;
}

/** Opens the folder, or makes it. Throws when it cannot be used. */
export function openDisk({ folder, clock, maxBytes, doneSeq, onLost, onUnreadable }: DiskOptions): Disk {
  makeFolder(folder);
  const segmentBytes = Math.min(LARGEST_SEGMENT, Math.floor(maxBytes / SEGMENTS_IN_BUDGET));
  const segments: Segment[] = [];
  let done = doneSeq;
  let writer: SegmentWriter | undefined;
  /** The segment whose records are in memory. */
  let loaded: { segment: Segment; records: SpoolRecord[]; at: number } | undefined;
  /** The segment that could not be read, since when, and when it is tried again. */
  let unreadable: { segment: Segment; sinceMs: number; againMs: number } | undefined;

  const sum = (of: (segment: Segment) => number): number => segments.reduce((total, segment) => total + of(segment), 0);

  function discover(): void {
    for (const name of readdirSync(folder).sort()) {
      const segment = findSegment(folder, name, { onLost, onUnreadable, nowMs: clock.now().getTime() });
      if (segment !== undefined) segments.push(segment);
    }
    segments.sort((a, b) => a.firstSeq - b.firstSeq);
    for (const segment of [...segments]) {
      if (segment.lastSeq <= done) discard(segment);
      else if (segment.firstSeq <= done) load(segment);
    }
    makeRoom(0);
  }

  function discard(segment: Segment): void {
    if (loaded?.segment === segment) loaded = undefined;
    segments.splice(segments.indexOf(segment), 1);
    try {
      rmSync(segment.path, { force: true });
    } catch {
      // The next start finds that it is not needed any more, and tries again.
    }
  }

  function drop(segment: Segment, why: "budget" | "age"): void {
    if (writer?.path === segment.path) seal();
    onLost(segment.left, why);
    discard(segment);
  }

  /** Makes room for this many bytes. */
  function makeRoom(bytes: number): void {
    for (let oldest = segments[0]; oldest !== undefined && sum((each) => each.bytes) + bytes > maxBytes; oldest = segments[0])
      drop(oldest, "budget");
  }

  function seal(): void {
    const segment = segments.at(-1);
    const open = writer;
    writer = undefined;
    if (open === undefined || segment === undefined) return;
    segment.path = open.seal(segment);
  }

  function write(records: readonly SpoolRecord[], facts: SegmentFacts, size: number): void {
    makeRoom(size);
    const current = segments.at(-1);
    if (writer !== undefined && (current?.path !== writer.path || current.bytes + size > segmentBytes)) seal();
    writer ??= createSegmentWriter(folder, facts.firstSeq);
    writer.append(Buffer.concat(records.flatMap((record) => [headerOf(record), record.payload])));
    const last = segments.at(-1);
    if (last?.path === writer.path) extend(last, facts, size);
    else segments.push({ ...facts, path: writer.path, bytes: size, left: facts.count, known: false, leftOver: false });
  }

  /** Reads a segment, and corrects what its name stated. A segment that cannot be read at present is left unchanged. */
  function load(segment: Segment): void {
    if (writer?.path === segment.path) seal();
    const all = contentsOf(segment);
    if (all === undefined) return;
    if (segment.leftOver) Object.assign(segment, factsOfRecords(all), { leftOver: false });
    const records = all.filter(({ seq }) => seq > done && seq <= segment.lastSeq);
    const missing = segment.known ? segment.left - records.length : segment.count - all.length;
    if (missing > 0) onLost(missing, "damage");
    segment.left = records.length;
    segment.known = true;
    loaded = { segment, records, at: 0 };
    if (records.length === 0) discard(segment);
  }

  /** The records of a segment; none when it is gone or has been unreadable for long, undefined while that may pass. */
  function contentsOf(segment: Segment): SpoolRecord[] | undefined {
    const nowMs = clock.monotonicMs();
    const before = unreadable?.segment === segment ? unreadable : { segment, sinceMs: nowMs, againMs: nowMs };
    if (nowMs < before.againMs) return undefined;
    unreadable = undefined;
    try {
      return recordsIn(readFileSync(segment.path)).records;
    } catch (error) {
      if (!isPassing(error) || nowMs - before.sinceMs >= UNREADABLE_MS) return [];
      unreadable = { ...before, againMs: nowMs + READ_AGAIN_MS };
      onUnreadable(error);
      return undefined;
    }
  }

  discover();

  return {
    append(records) {
      let written = 0;
      try {
        while (written < records.length) {
          const { count, size } = fitting(records, written, segmentBytes);
          const chunk = records.slice(written, written + count);
          const facts = factsOfRecords(chunk);
          if (size > maxBytes || facts === undefined) onLost(count, "budget");
          else write(chunk, facts, size);
          written += count;
        }
        return { written, error: undefined };
      } catch (error) {
        // The next attempt begins a new file.
        if (segments.at(-1)?.path === writer?.path) seal();
        else writer?.discard();
        writer = undefined;
        return { written, error };
      }
    },
    after(seq) {
      for (const segment of [...segments]) {
        if (segment.lastSeq <= seq) continue;
        if (loaded?.segment !== segment) load(segment);
        if (unreadable?.segment === segment) return "unreadable";
        if (loaded?.segment !== segment) continue;
        if ((loaded.records[loaded.at - 1]?.seq ?? -Infinity) > seq) loaded.at = 0;
        while ((loaded.records[loaded.at]?.seq ?? Infinity) <= seq) loaded.at += 1;
        const record = loaded.records[loaded.at];
        if (record !== undefined) return record;
      }
      return undefined;
    },
    remove(seq) {
      done = Math.max(done, seq);
      while ((segments[0]?.lastSeq ?? Infinity) < seq && segments[0] !== undefined) discard(segments[0]);
      const [oldest] = segments;
      if (oldest === undefined || seq < oldest.firstSeq) return;
      oldest.left -= 1;
      if (oldest.left > 0 && seq < oldest.lastSeq) return;
      if (writer?.path === oldest.path) seal();
      discard(oldest);
    },
    dropOlderThan(ms) {
      for (const segment of [...segments]) if (segment.newestMs < ms) drop(segment, "age");
    },
    get count() {
      return sum(({ left }) => left);
    },
    get bytes() {
      return sum(({ bytes }) => bytes);
    },
    get firstSeq() {
      return segments[0]?.firstSeq;
    },
    get lastSeq() {
      return segments.findLast(({ leftOver }) => !leftOver)?.lastSeq ?? 0;
    },
    close() {
      const segment = segments.at(-1);
      if (writer !== undefined && segment?.path === writer.path) segment.path = writer.sealNow(segment);
      writer = undefined;
    },
  };
}

function extend(segment: Segment, facts: SegmentFacts, size: number): void {
  segment.lastSeq = facts.lastSeq;
  segment.count += facts.count;
  segment.newestMs = Math.max(segment.newestMs, facts.newestMs);
  segment.left += facts.count;
  segment.bytes += size;
}

/** How many records from there on go into a file of that size, at least one, and their size. */
function fitting(records: readonly SpoolRecord[], from: number, most: number): { count: number; size: number } {
  let size = 0;
  let count = 0;
  for (let record = records[from]; record !== undefined; record = records[from + count]) {
    const more = recordBytes(record);
    if (count > 0 && size + more > most) break;
    size += more;
    count += 1;
  }
  return { count, size };
}
