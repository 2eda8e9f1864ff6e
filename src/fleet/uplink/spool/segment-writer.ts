import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openName, sealedName, type SegmentFacts } from "./segment-name.ts";

/**
 * The file that is written to. What was appended survives the end of the process at once. It is asked of the disk after every append, without
 * waiting for it: an end of the host may cost what was appended since.
 */
export interface SegmentWriter {
  readonly path: string;
  /** All of it, or nothing: throws when the disk does not take it. */
  append(bytes: Buffer): void;
  /** Gives it its last name, and answers where it then is. */
  seal(facts: SegmentFacts): string;
  /** The same, once the disk has it. */
  sealNow(facts: SegmentFacts): string;
  /** Removes it: nothing was appended. */
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
    // What is lost when the disk refuses is found by the checksums.
    fdatasync(file, () => {
      syncing = false;
      if (asked < length) sync();
      else if (closed) closeSync(file);
    });
  }

  /** Under its first name it is found again too, but must be read to know what it holds. */
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
