import { copyFileSync, existsSync, linkSync, rmSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import { codeOf, messageOf, StartError } from "../../platform/errors.ts";
import { syncPath } from "../../platform/files.ts";
import { SQLITE } from "../capabilities.ts";
import { migrate } from "../migrate.ts";
import { isDamage } from "../sqlite-errors.ts";
import { adapt, checkFile, lockFile, openFile } from "../sqlite-file.ts";
import { copiedTablesOf, type Counters, quoted, quotedList, type Table } from "./table.ts";
import { areNamesOf, BEFORE_RESTORE, type Begin, PROGRESS, type Progress, progressFrom, stampOf, type Target } from "./target.ts";

/** A target that is made as the file `PATH.incoming` and then renamed. Throws a StartError while a program uses the present file. */
export function openSqliteTarget({ path, clock }: { path: string; clock: Clock }): Target {
  const where = `the database file ${path}`;
  const incoming = `${path}.incoming`;
  const lock = lockFile(path);
  const statements = new Map<Table, StatementSync>();
  let file: DatabaseSync | undefined;
  /** Whether what was made is useless once this ends, because nobody can resume it. */
  let isScrap = false;

  function opened(): DatabaseSync {
    if (file === undefined) throw new Error("nothing was begun");
    return file;
  }

  function closeIncoming(): void {
    statements.clear();
    file?.close();
    file = undefined;
  }

  function removeIncoming(): void {
    for (const ending of ["", "-wal", "-shm"]) rmSync(incoming + ending, { force: true });
  }

  function openIncoming(): DatabaseSync {
    const made = openFile(incoming);
    // What a power cut loses is copied again; at the end everything is flushed.
    made.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF");
    return made;
  }

  function inTransaction(work: () => void): void {
    opened().exec("BEGIN IMMEDIATE");
    try {
      work();
      opened().exec("COMMIT");
    } catch (error) {
      opened().exec("ROLLBACK");
      throw error;
    }
  }

  async function prepare({ migrations, resume }: Begin): Promise<void> {
    closeIncoming();
    removeIncoming();
    isScrap = !resume;
    file = openIncoming();
    const database = new Kysely<never>({ dialect: new SqliteDialect({ database: { ...adapt(file), close: () => undefined } }) });
    await migrate({ database, capabilities: SQLITE, where: `the new database file ${incoming}`, clock, migrations });
    inTransaction(() => {
      for (const { name } of copiedTablesOf(migrations).toReversed()) opened().exec(`DELETE FROM ${quoted(name)}`);
      if (resume) opened().exec(PROGRESS.make);
    });
  }

  /** The progress of an interrupted copy; undefined when there is none to resume. */
  function interrupted({ migrations }: Begin): Map<string, Progress> | undefined {
    if (!existsSync(incoming)) return undefined;
    try {
      file = openIncoming();
      const applied = file.prepare("SELECT name FROM schema_migrations").all();
      const names = applied.map(({ name }) => String(name));
      if (areNamesOf(migrations, names)) return progressFrom(file.prepare(PROGRESS.read).all());
    } catch {
      // It was interrupted before it had tables, or was not left by a copy: it is made again.
    }
    closeIncoming();
    return undefined;
  }

  return {
    where,
    isTaken: async () => existsSync(path),
    async begin(begin) {
      const found = begin.resume ? interrupted(begin) : undefined;
      if (found === undefined) await prepare(begin);
      return found ?? new Map();
    },
    async insert(table, rows, progress) {
      let statement = statements.get(table);
      if (statement === undefined) {
        const places = table.columns.map(() => "?").join(", ");
        statement = opened().prepare(`INSERT INTO ${quoted(table.name)} (${quotedList(table.columns)}) VALUES (${places})`);
        statements.set(table, statement);
      }
      const insertion = statement;
      inTransaction(() => {
        for (const row of rows) insertion.run(...row);
        if (progress !== undefined)
          opened()
            .prepare(`INSERT OR REPLACE INTO ${PROGRESS.table} (name, rows, sha256) VALUES (?, ?, ?)`)
            .run(table.name, progress.rows, progress.sha256);
      });
    },
    async counts(tables) {
      const count = ({ name }: Table): number =>
        Number(
          opened()
            .prepare(`SELECT COUNT(*) AS rows FROM ${quoted(name)}`)
            .get()?.["rows"],
        );
      return Object.fromEntries(tables.map((table) => [table.name, count(table)]));
    },
    async amend(amendments) {
      inTransaction(() => {
        for (const statement of amendments) opened().exec(statement);
      });
    },
    async finish(counters) {
      complete(opened(), counters);
      closeIncoming();
      syncPath(incoming);
      return putInPlace({ path, incoming, clock });
    },
    async close() {
      closeIncoming();
      if (isScrap) removeIncoming();
      lock.close();
    },
  };
}

/** Completes a file that has all rows. Throws when it is incomplete or damaged. */
function complete(file: DatabaseSync, counters: Counters): void {
  file.exec(`DROP TABLE IF EXISTS ${PROGRESS.table}`);
  const raise = file.prepare("UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?");
  const add = file.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)");
  file.exec("BEGIN IMMEDIATE");
  for (const [name, last] of Object.entries(counters)) if (raise.run(last, name).changes === 0) add.run(name, last);
  file.exec("COMMIT");
  const [orphan] = file.prepare("PRAGMA foreign_key_check").all();
  if (orphan !== undefined)
    throw new StartError(`A row of the table ${String(orphan["table"])} refers to one that is not there. Nothing was changed.`);
  checkFile("that was made", file);
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Replaces the present file by a complete new one, and keeps the old one next to it. One of the two is in place at every moment. */
function putInPlace({ path, incoming, clock }: { path: string; incoming: string; clock: Clock }): string | null {
  const folder = dirname(path);
  const kept = `${path}.${BEFORE_RESTORE}-${stampOf(clock.now())}`;
  const isThere = existsSync(path);
  if (isThere) {
    emptyLog(path);
    keep(path, kept);
    // Only a damaged file still has a log.
    if (existsSync(`${path}-wal`)) keep(`${path}-wal`, `${kept}-wal`);
    syncPath(folder);
  }
  for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
  renameSync(incoming, path);
  syncPath(folder);
  return isThere ? kept : null;
}

/** Moves the log of a file into the file, so that the file alone is the database. A damaged file stays unchanged. */
function emptyLog(path: string): void {
  let file: DatabaseSync | undefined;
  try {
    file = openFile(path);
    file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isDamage(error instanceof StartError ? error.cause : error)) throw error;
    return;
  } finally {
    file?.close();
  }
  // The last program that closes a file removes its log.
  if (existsSync(`${path}-wal`))
    throw new StartError(`Another program reads the database file ${path}. End it first; nothing was changed.`);
}

function keep(path: string, kept: string): void {
  if (existsSync(kept)) return;
  try {
    linkSync(path, kept);
  } catch (error) {
    // Not every file system has two names for one file.
    if (["", "ENOSPC"].includes(codeOf(error))) throw error;
    try {
      copyFileSync(path, kept);
      syncPath(kept);
    } catch (fault) {
      rmSync(kept, { force: true });
      throw new StartError(`The database file ${path} cannot be kept as ${kept}: ${messageOf(fault)}. Nothing was changed.`, {
        cause: fault,
      });
    }
  }
}
