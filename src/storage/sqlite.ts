import { existsSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { Kysely, SqliteDialect } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";
import { inspect, type Inspection } from "./inspect.ts";
import {
  adapt,
  checkFile,
  closeToOthers,
  isDamage,
  isLoss,
  lockFile,
  openFile,
  openFileToRead,
  reasonOfLoss,
  rewriteFile,
  watchFile,
} from "./sqlite-file.ts";

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. */
  path: string;
  clock: Clock;
  log: Log;
}

/** The state of the file, read without changing it or the files next to it. Throws a StartError. */
export async function inspectSqlite(path: string): Promise<Inspection> {
  const capabilities = SQLITE;
  if (!existsSync(path)) return { engine: capabilities.engine, isNew: true, waiting: [], sealedWith: [] };
  const database = new Kysely<never>({ dialect: new SqliteDialect({ database: adapt(openFileToRead(path)) }) });
  try {
    return await inspect({ database, capabilities, where: `the database file ${path}` });
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`The database file ${path} cannot be used: ${reasonOfLoss(path, error)}.`);
  } finally {
    await database.destroy();
  }
}

/** The pause between two checks, as a multiple of the time of a check: reading a large file takes long and holds up everything else. */
const CHECK_REST = 20;

/** Keeps a damaged file from being written to until all of it can be read. */
class DamageCheck {
  readonly #path: string;
  readonly #clock: Clock;
  /** The error by which damage was found; undefined once the file was found whole. */
  #damage: unknown;
  #nextCheckMs = -Infinity;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  note(error: unknown): void {
    if (isDamage(error)) this.#damage ??= error;
  }

  /** Throws while the file is damaged. Without noted damage does nothing. */
  requireWhole(file: DatabaseSync | undefined): void {
    if (this.#damage === undefined) return;
    const startedMs = this.#clock.monotonicMs();
    if (file === undefined || startedMs < this.#nextCheckMs) throw this.#damage;
    try {
      checkFile(this.#path, file);
      this.#damage = undefined;
    } finally {
      const endedMs = this.#clock.monotonicMs();
      this.#nextCheckMs = endedMs + (endedMs - startedMs) * CHECK_REST;
    }
  }
}

/** The default database: one file, WAL, synchronous=FULL, one program, one connection for writing and one for reading. */
export function openSqlite({ path, clock, log }: SqliteOptions): Database {
  const files: DatabaseSync[] = [];
  const damageCheck = new DamageCheck(path, clock);
  let reading: DatabaseSync | undefined;
  let writing: DatabaseSync | undefined;
  let verify = (): void => undefined;
  let checkpoint = async (): Promise<void> => undefined;

  return createDatabase(
    {
      capabilities: SQLITE,
      where: `the database file ${path}`,
      isLoss(error) {
        damageCheck.note(error);
        return isLoss(error);
      },
      /** A file that another program holds stays locked: the lock is waited for, then the file counts as lost. */
      isBusy: () => false,
      reasonOfLoss: (error) => reasonOfLoss(path, error),
      async connect() {
        files.push(lockFile(path));
        try {
          closeToOthers(path);
        } catch (error) {
          log.warn({ reason: messageOf(error) }, "other users may read the database, and its permissions cannot be changed");
        }
        writing = openFile(path);
        files.push(writing);
        reading = openFile(path);
        files.push(reading);
        verify = watchFile(path);
        checkpoint = createCheckpoint({ path, file: writing, log });
        return { reading: new SqliteDialect({ database: adapt(reading) }), writing: new SqliteDialect({ database: adapt(writing) }) };
      },
      async disconnect() {
        // A dialect closes only what was used. The last connection to close cleans up, and the lock is released last.
        for (const file of files.splice(0).toReversed()) if (file.isOpen) file.close();
      },
      verify: () => verify(),
      checkpoint: () => checkpoint(),
      /** Tries a write, since a full disk can still be read. */
      async probe() {
        verify();
        damageCheck.requireWhole(reading);
        writing?.exec("BEGIN IMMEDIATE; UPDATE schema_migrations SET name = name; COMMIT");
      },
      forgetOldRows: async () => rewriteFile(path),
    },
    { clock, log },
  );
}

/** Pages of 4 kB. A thread takes about 10 MB and as much CPU time as a hundred commits, so the log may grow before it is moved. */
export const CHECKPOINT_PAGES = 4000;

/** The thread opens one file and reads no row. */
const ROOM = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

interface CheckpointOptions {
  path: string;
  /** Any connection to the database at the path. */
  file: DatabaseSync;
  log: Log;
}

/**
 * Moves the write-ahead log into the database file when it has grown, in a separate thread: its flushes may take long, 30 to 100 ms on a common disk.
 * The caller writes nothing meanwhile, so that the log starts over afterwards. The answer never throws: what could not be moved stays in the log, and
 * is tried again when the log has grown by as much again. Source: https://www.sqlite.org/wal.html#ckpt and
 * https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
 */
export function createCheckpoint({ path, file, log }: CheckpointOptions): () => Promise<void> {
  const state = file.prepare("PRAGMA wal_checkpoint(NOOP)");
  /** The length of the log when a part of it could not be moved; 0 when all was. */
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
  // Next to this file when run from source; the build puts it next to the bundle.
  const url = new URL(import.meta.url.endsWith(".ts") ? "./checkpoint-worker.ts" : "./checkpoint-worker.js", import.meta.url);
  const worker = new Worker(url, { workerData: path, resourceLimits: ROOM });
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => resolve());
  });
}
