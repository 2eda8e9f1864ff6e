import { join } from "node:path";
import { z } from "zod";
import { type BackupTarget, shownTarget } from "../../config/backup-options.ts";
import { writeWholeFile, readBoundedFile } from "../../platform/files.ts";
import type { Taken } from "./take.ts";

const LARGEST_RECORD = 16_384;

const record = z.object({
  file: z.string(),
  bytes: z.int(),
  rows: z.int(),
  takenAt: z.iso.datetime(),
  verifiedAt: z.iso.datetime(),
  /** Where it is; absent in a folder's own record. */
  bucket: z.string().optional(),
});

interface DataFolder {
  dataDir: string;
}

/** The last backup that was verified, of the same folder or bucket; undefined when none is known. */
export function readLastBackup(target: BackupTarget, folder: DataFolder): Taken | undefined {
  try {
    const read = record.parse(JSON.parse(readBoundedFile(pathOf(target, folder), LARGEST_RECORD)));
    return read.bucket === bucketOf(target) ? read : undefined;
  } catch {
    // There was none yet, or it is not ours: the next backup writes it.
    return undefined;
  }
}

export function writeLastBackup(target: BackupTarget, folder: DataFolder, taken: Taken): void {
  writeWholeFile(pathOf(target, folder), `${JSON.stringify({ ...taken, bucket: bucketOf(target) })}\n`);
}

function bucketOf(target: BackupTarget): string | undefined {
  return target.kind === "bucket" ? shownTarget(target) : undefined;
}

function pathOf(target: BackupTarget, { dataDir }: DataFolder): string {
  return join(target.kind === "folder" ? target.folder : dataDir, "last-backup.json");
}
