import { sql } from "kysely";
import type { Database } from "../../src/storage/database.ts";

/** All rows of all tables of a database, by table. */
export async function allRows(database: Database, name: "sqlite" | "postgresql"): Promise<Map<string, Record<string, unknown>[]>> {
  const { read } = database.tables<Record<string, Record<string, unknown>>>();
  const { rows: tables } = await sql<{ name: string }>`${sql.raw(
    name === "sqlite"
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  )}`.execute(read);
  const all = new Map<string, Record<string, unknown>[]>();
  for (const table of tables) all.set(table.name, await read.selectFrom(table.name).selectAll().execute());
  return all;
}
