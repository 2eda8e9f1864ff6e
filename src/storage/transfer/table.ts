import { DatabaseSync } from "node:sqlite";
import { SQLITE } from "../capabilities.ts";
import type { Migration } from "../migrations/migration.ts";

/** The value of one column in one row, the same in both databases. */
export type Value = string | number | Uint8Array | null;
export type Row = readonly Value[];

export interface Table {
  name: string;
  columns: readonly string[];
  /** The columns of its primary key; empty without one. */
  key: readonly string[];
  /** Whether its ids are generated. Then the last one is copied too, since ids are never used again. */
  isGenerated: boolean;
}

/** Some rows of one table; each row has a value for every column, in order. */
export interface Batch {
  table: Table;
  rows: readonly Row[];
}

/** The last generated id of each table that has generated one. */
export type Counters = Readonly<Record<string, number>>;

/** Tables that belong to one database: its applied migrations, the program that writes to it, and what its files may still contain. */
const OF_ONE_DATABASE: readonly string[] = ["schema_migrations", "leader", "sealed_tables"];

/** All tables that these migrations make, each after the tables it refers to. */
export function tablesOf(migrations: readonly Migration[]): Table[] {
  const file = new DatabaseSync(":memory:");
  try {
    for (const migration of migrations) for (const statement of migration.statements(SQLITE)) file.exec(statement);
    const found = file
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
      .all();
    const references = new Map<string, string[]>();
    const tables = found.map((row): Table => {
      const name = String(row["name"]);
      const columns = file.prepare(`PRAGMA table_info(${quoted(name)})`).all();
      const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a["pk"]) - Number(b["pk"]));
      references.set(
        name,
        file
          .prepare(`PRAGMA foreign_key_list(${quoted(name)})`)
          .all()
          .map(({ table }) => String(table)),
      );
      return {
        name,
        columns: columns.map((column) => String(column["name"])),
        key: key.map((column) => String(column["name"])),
        isGenerated: /AUTOINCREMENT/i.test(String(row["sql"])),
      };
    });
    return inOrderOfReferences(tables, references);
  } finally {
    file.close();
  }
}

/** The tables whose rows are copied from one database to another. */
export function copiedTablesOf(migrations: readonly Migration[]): Table[] {
  return tablesOf(migrations).filter(({ name }) => !OF_ONE_DATABASE.includes(name));
}

/** A name of the schema, quoted for the SQL of both databases. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

function inOrderOfReferences(tables: readonly Table[], references: ReadonlyMap<string, readonly string[]>): Table[] {
  const ordered: Table[] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ name }) =>
      (references.get(name) ?? []).every((other) => other === name || ordered.some((table) => table.name === other)),
    );
    if (next < 0) throw new Error(`tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(", ")}`);
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}
