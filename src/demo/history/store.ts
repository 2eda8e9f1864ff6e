import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { openSqlite } from "../../storage/sqlite.ts";

export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;
/** Rows of one table, which all have the same columns. Those that others refer to come first. */
export interface Rows {
  table: string;
  rows: Iterable<Row>;
}

/** Makes a database of today's schema, and puts rows into it, all in one transaction. */
export async function writeRows(path: string, tables: Iterable<Rows>, clock: Clock): Promise<void> {
  const empty = openSqlite({ path, clock, log: silentLog });
  await empty.start();
  await empty.stop();
  const database = new DatabaseSync(path);
  try {
    // Nobody needs it after a power cut.
    database.exec("PRAGMA synchronous = OFF; BEGIN");
    for (const { table, rows } of tables) insert(database, table, rows);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}

function insert(database: DatabaseSync, table: string, rows: Iterable<Row>): void {
  let statement: ReturnType<DatabaseSync["prepare"]> | undefined;
  for (const row of rows) {
    const columns = Object.keys(row);
    statement ??= database.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((column) => `:${column}`).join(", ")})`,
    );
    statement.run(row);
  }
}
