import { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../../../src/contract/time.ts";
import { checksumOf } from "../../../src/storage/applied-migrations.ts";
import type { Capabilities } from "../../../src/storage/capabilities.ts";
import { MIGRATIONS } from "../../../src/storage/migrate.ts";
import { ago, type Row } from "./row.ts";

/** All tables of a SQLite file but the list of migrations, with their rows, in the order in which they were created. */
export function readTables(path: string): Map<string, Row[]> {
  const file = new DatabaseSync(path, { readOnly: true });
  const names = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid").all();
  const tables = names
    .map(({ name }) => String(name))
    .filter((name) => name !== "schema_migrations")
    .map((name): [string, Row[]] => {
      const columns = file.prepare(`SELECT * FROM ${name}`).columns();
      // Not every table has two.
      return [name, file.prepare(`SELECT * FROM ${name} ORDER BY ${[1, 2].slice(0, columns.length).join(", ")}`).all() as Row[]];
    });
  file.close();
  return new Map(tables);
}

/** Today's schema and these rows as SQL for one of the databases, which a driver runs as it is. */
export function dumpSql(tables: ReadonlyMap<string, readonly Row[]>, capabilities: Capabilities): string {
  const lines = ["BEGIN;", "CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL, checksum TEXT);"];
  const generated: string[] = [];
  for (const migration of MIGRATIONS) {
    for (const statement of migration.statements(capabilities)) {
      // Rows that a migration inserted are among the tables' rows.
      if (!statement.startsWith("INSERT")) lines.push(`${statement};`);
      const [, table] = /^CREATE TABLE (\w+)/.exec(statement) ?? [];
      if (table !== undefined && statement.includes(capabilities.generatedKey)) generated.push(table);
    }
    const checksum = checksumOf(migration, capabilities);
    lines.push(insertion("schema_migrations", { name: migration.name, applied_at: ago(30 * DAY_MS), checksum }, capabilities));
  }
  for (const [table, rows] of tables) for (const row of rows) lines.push(insertion(table, row, capabilities));
  if (capabilities.engine === "postgresql")
    for (const table of generated) lines.push(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT MAX(id) FROM ${table}));`);
  return `${lines.join("\n")}\nCOMMIT;\n`;
}

function insertion(table: string, row: Row, { engine }: Capabilities): string {
  const literal = (value: Row[string]): string => {
    if (value === null || typeof value === "number") return String(value);
    if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
    const hex = Buffer.from(value ?? []).toString("hex");
    return engine === "sqlite" ? `X'${hex}'` : `'\\x${hex}'`;
  };
  return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")});`;
}
