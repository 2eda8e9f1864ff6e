import type { DatabaseSync } from "node:sqlite";
import { SqliteDialect } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { SQLITE } from "./capabilities.ts";
import { createDatabase } from "./create-database.ts";
import type { Database } from "./database.ts";
import { adapt, isLoss, lockFile, openFile, watchFile } from "./sqlite-file.ts";

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. */
  path: string;
  clock: Clock;
  log: Log;
}

/** The default database: one file, WAL, synchronous=FULL, one program, one connection that writes and one that reads. */
export function openSqlite({ path, clock, log }: SqliteOptions): Database {
  const files: DatabaseSync[] = [];
  let writing: DatabaseSync | undefined;
  let verify = (): void => undefined;
  return createDatabase(
    {
      capabilities: SQLITE,
      where: `the database file ${path}`,
      isLoss,
      async connect() {
        files.push(lockFile(path));
        writing = openFile(path);
        files.push(writing);
        const reading = openFile(path);
        files.push(reading);
        verify = watchFile(path);
        return { reading: new SqliteDialect({ database: adapt(reading) }), writing: new SqliteDialect({ database: adapt(writing) }) };
      },
      async disconnect() {
        // A dialect closes only what was used, and the last one to close tidies up; the lock goes last.
        for (const file of files.splice(0).toReversed()) if (file.isOpen) file.close();
      },
      verify: () => verify(),
      /** Writing is the proof: a full disk can still be read. */
      async probe() {
        verify();
        writing?.exec("BEGIN IMMEDIATE; UPDATE schema_migrations SET name = name; COMMIT");
      },
    },
    { clock, log },
  );
}
