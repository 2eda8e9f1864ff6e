import { accessSync, chmodSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { messageOf, StartError } from "../platform/errors.ts";
import { makeFolder } from "../platform/files.ts";

const BUSY_TIMEOUT_MS = 5000;
/** How long a program that is ending may still hold the file. */
const LOCK_WAIT_MS = 1000;
/** Checkpoints run in a separate thread (sqlite.ts). If that fails, a commit beyond this length moves the log itself. */
const MOST_LOG_PAGES = 16_384;
const CACHED_STATEMENTS = 500;
/** `BNCL`, by which tools recognise the program that wrote a SQLite file. */
const APPLICATION_ID = 0x42_4e_43_4c;

/** Rewriting a larger file would take too long at a start. */
const MOST_REWRITTEN_BYTES = 512 * 1024 ** 2;

const BUSY = 5;
const READONLY = 8;
const CORRUPT = 11;
const CANTOPEN = 14;
const NOT_A_DATABASE = 26;

/** The primary result codes by which the file cannot be used now. Source: https://www.sqlite.org/rescode.html */
const LOSS_CODES: ReadonlySet<number> = new Set([BUSY, READONLY, 10 /* ioerr */, CORRUPT, 13 /* full */, CANTOPEN, NOT_A_DATABASE]);

/** The file at the path is not the open one: writes go to a file that nobody will find. */
class FileReplaced extends Error {
  constructor(path: string) {
    super(
      `the file ${path} was removed or replaced while the program ran. Put it back, or restart the program to begin with what is there now`,
    );
    this.name = "FileReplaced";
  }
}

/** The file does not contain what was written to it. */
class FileDamaged extends Error {
  constructor(path: string, how: string) {
    super(
      `the file ${path} is damaged, or its disk cannot be read (${how}). Check the disk; if that is well, stop the program and restore a backup`,
    );
    this.name = "FileDamaged";
  }
}

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

export function isLoss(error: unknown): boolean {
  if (error instanceof FileReplaced) return true;
  const code = resultCode(error);
  if (error instanceof FileDamaged) return true;
  return code === undefined ? error instanceof Error && "syscall" in error : LOSS_CODES.has(code);
}

/** Whether the file contains something else than was written. SQLite reports the same when the disk refuses to read the file. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return error instanceof FileDamaged || code === CORRUPT || code === NOT_A_DATABASE;
}

/** Why the file was lost, and what to do if waiting does not help. */
export function reasonOfLoss(path: string, error: unknown): string {
  return isDamage(error) && !(error instanceof FileDamaged) ? new FileDamaged(path, messageOf(error)).message : messageOf(error);
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

function reasonOf(error: unknown): string {
  const code = resultCode(error);
  if (code === BUSY) return "another program that is running uses it";
  if (code === READONLY) return "it, or a file beside it whose name begins alike, is read-only for this user";
  if (code === CANTOPEN) return "it cannot be opened or created by this user";
  if (code === NOT_A_DATABASE) return "it is not a SQLite database";
  if (code === CORRUPT)
    return `it is damaged, or its disk cannot be read (${messageOf(error)}). Check the disk, restore a backup in its place`;
  return messageOf(error);
}

/** The primary result code of an error of node:sqlite; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** The file and its write-ahead log, which has the latest commits. */
function identityOf(path: string): string {
  return [path, `${path}-wal`]
    .map((each) => statSync(each, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? "none" : `${found.dev}:${found.ino}`))
    .join(" ");
}
