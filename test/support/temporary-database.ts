import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { temporaryFolder } from "./program.ts";

/** A new, empty, started SQLite database, in a folder that goes with the tests. */
export async function openTemporaryDatabase(): Promise<Database> {
  const database = openSqlite({ path: `${temporaryFolder()}/test.db`, clock: systemClock, log: silentLog });
  await database.start();
  return database;
}
