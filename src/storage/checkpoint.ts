import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

/** Of 4 kB each. A thread takes about 10 MB and as much CPU time as a hundred commits: the log may grow before it is worth one. */
export const CHECKPOINT_PAGES = 4000;

/** The thread opens one file and reads no row. */
const ROOM = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export interface CheckpointOptions {
  path: string;
  /** Any connection to the database at the path. */
  file: DatabaseSync;
  log: Log;
}

/**
 * Moves the write-ahead log into the database file when it has grown, in a thread of its own: its flushes take as long as the disk likes, 30 to 100 ms on
 * a common one. The caller writes nothing meanwhile, so that the log starts over afterwards. The answer never throws: what could not be moved stays in the
 * log, and is tried again when as much has come to it.
 * Source: https://www.sqlite.org/wal.html#ckpt and https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
 */
export function createCheckpoint({ path, file, log }: CheckpointOptions): () => Promise<void> {
  const state = file.prepare("PRAGMA wal_checkpoint(NOOP)");
  /** How long the log was when some of it could not be moved; 0 when all was. */
  let leftAt = 0;

  return async () => {
    try {
      const { pages, moved } = read(state);
      if (pages < leftAt) leftAt = 0;
      if (pages - Math.max(moved, leftAt) < CHECKPOINT_PAGES) return;
      leftAt = pages;
      await inThread(path);
      if (read(state).moved >= pages) leftAt = 0;
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "the write-ahead log could not be moved into the database file");
    }
  };
}

function read(state: StatementSync): { pages: number; moved: number } {
  const row = state.get();
  return { pages: Number(row?.["log"]), moved: Number(row?.["checkpointed"]) };
}

function inThread(path: string): Promise<void> {
  // Beside this file when run from source; the build lays it beside the bundle.
  const url = new URL(import.meta.url.endsWith(".ts") ? "./checkpoint-worker.ts" : "./checkpoint-worker.js", import.meta.url);
  const worker = new Worker(url, { workerData: path, resourceLimits: ROOM });
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => resolve());
  });
}
