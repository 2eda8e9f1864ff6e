import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { type BackupTarget, shownTarget } from "../../config/backup-target.ts";
import type { Config } from "../../config/config.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { writeWholeFile } from "../../platform/whole-file.ts";
import type { StorageUse } from "../meta/api.ts";
import { configuredStore } from "../stores.ts";
import type { DestinationOptions } from "./destination.ts";
import type { Taken, TakenAndThinned, TakeOptions } from "./take.ts";

/** After a start the program has other things to do first. */
const FIRST_AFTER_MS = 10_000;
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

export interface ScheduledBackups {
  start(): void;
  /** Null when none are taken. */
  status(): StorageUse["backups"];
}

export interface ScheduledBackupsParts {
  config: Config;
  version: string;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** Takes a backup into SERVICE_BACKUP_DIR or SERVICE_BACKUP_S3 every so often, in a thread of its own, and remembers the last one that was verified. */
export function createScheduledBackups({ config, version, clock, scheduler, log }: ScheduledBackupsParts): ScheduledBackups {
  const { backupTarget: target, backupInterval: everyMs, backupKeep: keep } = config;
  const shown = target === undefined ? "" : shownTarget(target);
  const bucket = target?.kind === "bucket" ? shown : undefined;
  let last: Taken | undefined;
  let error: string | null = null;

  async function run(options: TakeOptions, recordPath: string, signal: AbortSignal): Promise<void> {
    try {
      const { taken, removalError } = await inThread(options, signal);
      last = taken;
      error = removalError;
      writeWholeFile(recordPath, `${JSON.stringify({ ...taken, bucket })}\n`);
      log.info({ file: last.file, rows: last.rows, bytes: last.bytes }, "backup taken, and verified by a trial restore");
      if (error !== null) log.error({ folder: shown, reason: error }, "the oldest backups could not be removed");
    } catch (fault) {
      if (signal.aborted) return;
      error = messageOf(fault);
      log.error({ folder: shown, reason: error }, "backup failed");
    }
  }

  return {
    start() {
      if (target === undefined) return;
      const recordPath = join(target.kind === "folder" ? target.folder : config.dataDir, "last-backup.json");
      last = readLast(recordPath, bucket);
      const destination = destinationOf(target, config);
      const options = { store: configuredStore(config), dataDir: config.dataDir, programVersion: version, destination, keep };
      const dueInMs = last === undefined ? 0 : Date.parse(last.takenAt) + everyMs - clock.now().getTime();
      const firstAfterMs = Math.min(Math.max(dueInMs, Math.min(FIRST_AFTER_MS, everyMs)), everyMs);
      scheduler.every({ name: "backup", everyMs, firstAfterMs, run: (signal) => run(options, recordPath, signal) });
    },
    status: () =>
      target === undefined
        ? null
        : {
            folder: shown,
            interval_seconds: everyMs / 1000,
            keep,
            last: last === undefined ? null : lastRecord(last),
            error,
          },
  };
}

function lastRecord({ file, bytes, rows, takenAt, verifiedAt }: Taken): NonNullable<NonNullable<StorageUse["backups"]>["last"]> {
  return { file, bytes, rows, taken_at: takenAt, verified_at: verifiedAt };
}

function destinationOf(target: BackupTarget, { dataDir, caCert }: Pick<Config, "dataDir" | "caCert">): DestinationOptions {
  if (target.kind === "folder") return { kind: "folder", folder: target.folder };
  // A thread takes copies of plain values alone.
  const { accessKey, secretKey, ...bucket } = target;
  return { ...bucket, accessKey: accessKey.reveal(), secretKey: secretKey.reveal(), workFolder: join(dataDir, "backup-work"), caCert };
}

/** Of the same folder or bucket. */
function readLast(path: string, bucket: string | undefined): Taken | undefined {
  try {
    const read = record.parse(JSON.parse(readBoundedFile(path, LARGEST_RECORD)));
    return read.bucket === bucket ? read : undefined;
  } catch {
    // There was none yet, or it is not ours: the next backup writes it.
    return undefined;
  }
}

function inThread(options: TakeOptions, signal: AbortSignal): Promise<TakenAndThinned> {
  // Beside this file when run from source; the build lays it beside the bundle.
  const url = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./backup-worker.js", import.meta.url);
  const worker = new Worker(url, { workerData: options });
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => void worker.terminate(), { once: true });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread for backups ended")));
  });
}
