import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../../contract/time.ts";
import { type BackupTarget, shownTarget } from "../../config/backup-options.ts";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { StorageUse } from "../meta/answers.ts";
import { configuredStore } from "../stores.ts";
import { destinationOf } from "./destination-options.ts";
import { readLastBackup, writeLastBackup } from "./last-backup.ts";
import type { Taken, TakenAndThinned, TakeOptions } from "./take.ts";

/** After a start the program has other things to do first. */
const FIRST_AFTER_MS = 10_000;
/** One that failed is tried again after this. */
const RETRY_MS = 15 * MINUTE_MS;
/** Beats may come that much early. */
const BEAT_SLACK_MS = 1000;

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

/** Takes a backup into SERVICE_BACKUP_DIR or SERVICE_BACKUP_S3 every so often, in a separate thread, and remembers the last one that was verified. */
export function createScheduledBackups({ config, version, clock, scheduler, log }: ScheduledBackupsParts): ScheduledBackups {
  const { backupTarget: target, backupInterval: everyMs, backupKeep: keep } = config;
  const shown = target === undefined ? "" : shownTarget(target);
  let last: Taken | undefined;
  let error: string | null = null;
  /** On the monotonic clock. */
  let dueMs = 0;

  async function run(place: BackupTarget, options: TakeOptions, signal: AbortSignal): Promise<void> {
    const startedMs = clock.monotonicMs();
    if (startedMs < dueMs - BEAT_SLACK_MS) return;
    try {
      const { taken, removalError } = await inThread(options, signal);
      dueMs = startedMs + everyMs;
      last = taken;
      error = removalError;
      writeLastBackup(place, config, taken);
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
      last = readLastBackup(target, config);
      const destination = destinationOf(target, config);
      const options = { store: configuredStore(config), dataDir: config.dataDir, programVersion: version, destination, keep };
      const dueInMs = last === undefined ? 0 : Date.parse(last.takenAt) + everyMs - clock.now().getTime();
      const firstAfterMs = Math.min(Math.max(dueInMs, Math.min(FIRST_AFTER_MS, everyMs)), everyMs);
      const beatMs = everyMs / Math.ceil(everyMs / RETRY_MS);
      scheduler.every({ name: "backup", everyMs: beatMs, firstAfterMs, run: (signal) => run(target, options, signal) });
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
