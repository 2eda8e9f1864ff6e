import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";

const BUSY_TIMEOUT_MS = 5000;
const CACHED_STATEMENTS = 500;

/** The primary result codes that say that the file cannot be used now. Source: https://www.sqlite.org/rescode.html */
const LOSS_CODES: ReadonlySet<number> = new Set([
  5 /* busy */, 8 /* readonly */, 10 /* ioerr */, 11 /* corrupt */, 13 /* full */, 14 /* cantopen */, 26 /* notadb */,
]);

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. */
  path: string;
  clock: Clock;
  log: Log;
}

/** The default database: one file, WAL, synchronous=FULL, one connection that writes and one that reads. */
export function openSqlite({ path, clock, log }: SqliteOptions): Database {
  let writing: DatabaseSync | undefined;
  return createDatabase(
    {
      capabilities: SQLITE,
      where: `the database file ${path}`,
      isLoss,
      async connect() {
        writing = openFile(path);
        return {
          reading: new SqliteDialect({ database: adapt(openFile(path)) }),
          writing: new SqliteDialect({ database: adapt(writing) }),
        };
      },
      async disconnect() {},
      /** Writing is the proof: a full disk can still be read. */
      async probe() {
        writing?.exec("BEGIN IMMEDIATE; UPDATE schema_migrations SET name = name; COMMIT");
      },
    },
    { clock, log },
  );
}

function openFile(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    file.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -16000;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864;
    `);
    return file;
  } catch (error) {
    throw new StartError(
      `The database file ${path} cannot be used: ${reasonOf(error)}. Name another with SERVICE_DB, or SERVICE_DATA_DIR for its folder.`,
      {
        cause: error,
      },
    );
  }
}

function reasonOf(error: unknown): string {
  const code = resultCode(error);
  if (code === 26) return "it is not a SQLite database";
  if (code === 8) return "it is read-only for this user";
  if (code === 14) return "it cannot be opened or created by this user";
  return messageOf(error);
}

function isLoss(error: unknown): boolean {
  const code = resultCode(error);
  return code === undefined ? isFileError(error) : LOSS_CODES.has(code);
}

/** The primary result code of an error of node:sqlite; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** node:sqlite in the shape that Kysely's dialect expects, with the statements kept that were prepared last. */
function adapt(file: DatabaseSync): SqliteDatabase {
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
