import { readFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { recordsIn, type SpoolRecord } from "./record.ts";
import { factsOf, firstSeqOf, isOpenName, sealedName, type SegmentFacts } from "./segment-name.ts";

/** Errors that say nothing of what a file holds. */
const PASSING_ERRORS: ReadonlySet<unknown> = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM"]);

/** A file of the spool. */
export interface Segment extends SegmentFacts {
  path: string;
  bytes: number;
  /** Records in it that are not done with. */
  left: number;
  /** It was read, and `left` is what is really there. */
  known: boolean;
  /** Left behind by a crash and not read yet: its last seq and its count are not known. */
  leftOver: boolean;
}

interface FindOptions {
  onLost(events: number, why: "damage"): void;
  onUnreadable(error: unknown): void;
  nowMs: number;
}

/** undefined for a file that is somebody else's, or cannot be read: it must not cost the others. */
export function findSegment(folder: string, name: string, { onLost, onUnreadable, nowMs }: FindOptions): Segment | undefined {
  try {
    const facts = isOpenName(name) ? sealLeftOver(folder, name, onLost) : factsOf(name);
    if (facts === undefined) return undefined;
    const path = join(folder, sealedName(facts));
    return { ...facts, path, bytes: statSync(path).size, left: facts.count, known: false, leftOver: false };
  } catch (error) {
    const firstSeq = firstSeqOf(name);
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

/** What a crash left behind: its torn end is cut off, and what is whole gets the name that tells what it holds. */
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
