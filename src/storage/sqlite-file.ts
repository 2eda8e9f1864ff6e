import { accessSync, chmodSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { messageOf, StartError } from "../platform/errors.ts";
import { makeFolder } from "../platform/files.ts";
import type { Log } from "../platform/log.ts";
import { FileDamaged, FileReplaced, reasonOf } from "./sqlite-errors.ts";

const BUSY_TIMEOUT_MS = 5000;
/** How long a program that is ending may still hold the file. */
const LOCK_WAIT_MS = 1000;
/** Checkpoints run in a separate thread, see {@link createCheckpoint}. If that fails, a commit beyond this length moves the log itself. */
const MOST_LOG_PAGES = 16_384;
const CACHED_STATEMENTS = 500;
/** `BNCL`, by which tools recognise the program that wrote a SQLite file. */
const APPLICATION_ID = 0x42_4e_43_4c;

/** Rewriting a larger file would take too long at a start. */
const MOST_REWRITTEN_BYTES = 512 * 1024 ** 2;

/**
 * Restricts a database file and those next to it to this user: an earlier version or another umask may have let others read them. Throws when that
 * fails.
 */
export function closeToOthers(path: string): void {
  for (const each of [path, `${path}-wal`, `${path}-shm`]) {
    const found = statSync(each, { throwIfNoEntry: false });
    if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(each, found.mode & 0o700);
  }
}

/** Opens a database file for one of several connections of this program. Throws a StartError when it cannot be written. */
export function openFile(path: string): DatabaseSync {
  // The last statement writes, since a read-only file opens without an error.
  return open(path, path, {
    timeoutMs: BUSY_TIMEOUT_MS,
    statements: `
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${MOST_LOG_PAGES};
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -4000;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA application_id = ${APPLICATION_ID};
    `,
  });
}

/**
 * Keeps other programs from the file until closed, or until this process ends in any way: each program keeps what it saved in memory, and two would
 * contradict each other. The lock is a SQLite lock on an empty file next to the database.
 */
export function lockFile(path: string): DatabaseSync {
  return open(path, `${path}-lock`, { timeoutMs: LOCK_WAIT_MS, statements: "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE" });
}

/**
 * Opens a database file for reading, and changes neither it nor the files next to it. Throws a StartError when it cannot be read, when this user
 * cannot write it, or when a running program has it.
 */
export function openFileToRead(path: string): DatabaseSync {
  return attempt(path, () => {
    accessSync(path, constants.R_OK | constants.W_OK);
    if (existsSync(`${path}-lock`)) readWhole(new DatabaseSync(`${path}-lock`, { readOnly: true, timeout: LOCK_WAIT_MS }));
    const url = pathToFileURL(path);
    // A log that a killed program left is read by its index; without a log nothing can be in progress.
    url.searchParams.set(hasContent(`${path}-wal`) ? "readonly_shm" : "immutable", "1");
    return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  });
}

function readWhole(file: DatabaseSync): void {
  try {
    file.prepare("SELECT COUNT(*) FROM sqlite_master").all();
  } finally {
    file.close();
  }
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Records which file is at the path; the answer throws when it is another one. */
export function watchFile(path: string): () => void {
  const opened = identityOf(path);
  return () => {
    if (identityOf(path) !== opened) throw new FileReplaced(path);
  };
}

/**
 * Rewrites the file over a separate connection, so that neither its free space nor its log contains earlier values; false when it is too large. The
 * copy is made next to it, since the folder for temporary files is often a small disk in memory.
 */
export function rewriteFile(path: string): boolean {
  const file = openFile(path);
  try {
    if (usedBytes(file) > MOST_REWRITTEN_BYTES) return false;
    file.exec(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'; PRAGMA temp_store = FILE; VACUUM`);
    return true;
  } finally {
    // The folder applies to all connections of this program. The log of a failed attempt may fill the disk.
    file.exec("PRAGMA temp_store_directory = ''; PRAGMA wal_checkpoint(TRUNCATE)");
    file.close();
  }
}

function usedBytes(file: DatabaseSync): number {
  const used = file.prepare(`SELECT (pages.page_count - free.freelist_count) * size.page_size AS bytes
    FROM pragma_page_count() AS pages, pragma_freelist_count() AS free, pragma_page_size() AS size`);
  return Number(used.get()?.["bytes"]);
}

/** Reads the whole file; throws when a part of it is damaged or cannot be read. */
export function checkFile(path: string, file: DatabaseSync): void {
  const [first] = file.prepare("PRAGMA quick_check(1)").all();
  const found = String(Object.values(first ?? {})[0]);
  if (found !== "ok") throw new FileDamaged(path, found.replaceAll("\n", ", "));
}

/** Adapts node:sqlite to Kysely's dialect, and keeps the statements that were prepared last. */
export function adapt(file: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, StatementSync>();

  function prepared(text: string): StatementSync {
    const statement = statements.get(text) ?? file.prepare(text);
    statements.delete(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > CACHED_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  }

  return {
    close: () => file.close(),
    prepare(text): SqliteStatement {
      const statement = prepared(text);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as readonly SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as readonly SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as readonly SQLInputValue[])),
      };
    },
  };
}

function open(path: string, filePath: string, { timeoutMs, statements }: { timeoutMs: number; statements: string }): DatabaseSync {
  let file: DatabaseSync | undefined;
  try {
    return attempt(path, () => {
      makeFolder(dirname(filePath));
      file = new DatabaseSync(filePath, { timeout: timeoutMs });
      file.exec(statements);
      return file;
    });
  } catch (error) {
    file?.close();
    throw error;
  }
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StartError(
      `The database file ${path} cannot be used: ${reasonOf(error)}. Name another with SERVICE_DB, or SERVICE_DATA_DIR for its folder.`,
      { cause: error },
    );
  }
}

/** The file and its write-ahead log, which has the latest commits. */
function identityOf(path: string): string {
  return [path, `${path}-wal`]
    .map((each) => statSync(each, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? "none" : `${found.dev}:${found.ino}`))
    .join(" ");
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
