import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Clock } from "../platform/clock.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { createCheckpoint } from "./checkpoint.ts";
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

/** How the file stands, without changing it or anything beside it. Throws a StartError. */
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

/** Reading a large file takes long and holds up all else: between two checks there are so many times as long. */
const CHECK_REST = 20;

/** The default database: one file, WAL, synchronous=FULL, one program, one connection that writes and one that reads. */
export function openSqlite({ path, clock, log }: SqliteOptions): Database {
  const files: DatabaseSync[] = [];
  let reading: DatabaseSync | undefined;
  let writing: DatabaseSync | undefined;
  /** What was seen of damage; undefined once the file was found whole. */
  let damage: unknown;
  let nextCheckMs = -Infinity;
  let verify = (): void => undefined;
  let checkpoint = async (): Promise<void> => undefined;

  /** A damaged file is not written to until all of it can be read. */
  function requireWhole(): void {
    const startedMs = clock.monotonicMs();
    if (reading === undefined || startedMs < nextCheckMs) throw damage;
    try {
      checkFile(path, reading);
      damage = undefined;
    } finally {
      const endedMs = clock.monotonicMs();
      nextCheckMs = endedMs + (endedMs - startedMs) * CHECK_REST;
    }
  }

  return createDatabase(
    {
      capabilities: SQLITE,
      where: `the database file ${path}`,
      isLoss(error) {
        if (isDamage(error)) damage ??= error;
        return isLoss(error);
      },
      /** Whoever else holds the file keeps it: its lock is waited for, and then it is lost. */
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
        // A dialect closes only what was used, and the last one to close tidies up; the lock goes last.
        for (const file of files.splice(0).toReversed()) if (file.isOpen) file.close();
      },
      verify: () => verify(),
      checkpoint: () => checkpoint(),
      /** Writing is the proof: a full disk can still be read. */
      async probe() {
        verify();
        if (damage !== undefined) requireWhole();
        writing?.exec("BEGIN IMMEDIATE; UPDATE schema_migrations SET name = name; COMMIT");
      },
      forgetOldRows: async () => rewriteFile(path),
    },
    { clock, log },
  );
}
