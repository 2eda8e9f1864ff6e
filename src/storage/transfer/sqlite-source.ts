import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageOf, StartError } from "../../platform/errors.ts";
import { SQLITE } from "../capabilities.ts";
import { lockFile } from "../sqlite-file.ts";
import { inBatches, knownMigrations, readTables, type Source } from "./target.ts";
import { copiedTablesOf, quoted, quotedList, type Row, type Table } from "./table.ts";

const BUSY_TIMEOUT_MS = 5000;

export interface SqliteSourceOptions {
  path: string;
  /** Keeps all programs from the file until it is closed; otherwise a program may run and write. */
  alone?: boolean;
}

/** A SQLite file as of now; later writes are not seen. Throws a StartError. */
export function openSqliteSource({ path, alone = false }: SqliteSourceOptions): Source {
  const where = `the database file ${path}`;
  if (!existsSync(path)) throw new StartError(`There is no database file ${path}. Name another with SERVICE_DB or SERVICE_DATA_DIR.`);
  const opened: DatabaseSync[] = alone ? [lockFile(path)] : [];
  const close = (): void => opened.toReversed().forEach((file) => file.close());
  try {
    const file = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    opened.push(file);
    // The first statement that reads determines the moment.
    file.exec("BEGIN");
    const hasMigrations = Number(file.prepare(SQLITE.hasMigrations).get()?.["found"]) > 0;
    const rows = hasMigrations ? file.prepare("SELECT * FROM schema_migrations ORDER BY name").all() : [];
    const applied = rows.map((row) => ({
      name: String(row["name"]),
      checksum: typeof row["checksum"] === "string" ? row["checksum"] : null,
    }));
    const migrations = knownMigrations(applied, SQLITE, where);
    const tables = copiedTablesOf(migrations);
    return {
      where,
      engine: "sqlite",
      applied,
      migrations,
      read: () => readTables(tables, where, (table) => inBatches(table, rowsOf(file, table))),
      async counters() {
        // One that is 0 was never used: SQLite also begins one for an INSERT without rows.
        const found = file.prepare("SELECT name, seq FROM sqlite_sequence WHERE seq > 0").all();
        return Object.fromEntries(found.map((row) => [String(row["name"]), Number(row["seq"])]));
      },
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw error instanceof StartError
      ? error
      : new StartError(`The database file ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** In the order of the file, which is the fastest and always the same. */
function* rowsOf(file: DatabaseSync, { name, columns }: Table): Generator<Row> {
  const statement = file.prepare(`SELECT ${quotedList(columns)} FROM ${quoted(name)} ORDER BY rowid`);
  // Columns are read as a bigint only on request.
  for (const row of statement.iterate()) yield Object.values(row) as Row;
}
