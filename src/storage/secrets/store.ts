import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { KEY_ID_LENGTH, SEALED_PREFIX, SECRET_COLUMNS, type SecretColumn } from "./cipher.ts";

/** A stored value with the name of its row. */
export interface StoredValue {
  id: number;
  name: string;
  value: string;
}

const PAGE = 100;

export type SecretStore = ReturnType<typeof createSecretStore>;

/** The SQL of secret columns. */
export function createSecretStore(database: Database) {
  const tables = database.tables<object>();

  return {
    /** All values of a column, in pages. */
    async *pages(column: SecretColumn): AsyncGenerator<StoredValue[]> {
      for (let after = 0; ;) {
        const { rows } = await sql<StoredValue>`SELECT id, name, ${sql.ref(column.column)} AS value FROM ${sql.table(column.table)}
          WHERE id > ${after} AND ${filterOf(column)} ORDER BY id LIMIT ${sql.lit(PAGE)}`.execute(tables.read);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.id;
      }
    },

    /** Replaces values of a column in one unit, and records that the old ones may still be on disk. */
    async replace({ table, column }: SecretColumn, values: readonly { id: number; value: string }[]): Promise<void> {
      await tables.write(async (tx) => {
        await sql`INSERT INTO sealed_tables (name) VALUES (${table}) ON CONFLICT DO NOTHING`.execute(tx);
        for (const { id, value } of values)
          await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} WHERE id = ${id}`.execute(tx);
      });
    },

    /** The tables whose old values may still be on disk. */
    async tablesWithOldRows(): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`SELECT name FROM sealed_tables ORDER BY name`.execute(tables.read);
      return rows.map(({ name }) => name);
    },

    async oldRowsAreForgotten(names: readonly string[]): Promise<void> {
      await tables.write((tx) => sql`DELETE FROM sealed_tables WHERE name IN (${sql.join(names)})`.execute(tx));
    },
  };
}

/** The ids of the keys of all sealed values, in a database to which these migrations were applied. */
export async function sealedKeyIds(database: Kysely<never>, applied: ReadonlySet<string>): Promise<string[]> {
  const found = new Set<string>();
  for (const column of SECRET_COLUMNS.filter(({ since }) => applied.has(since))) {
    const value = sql.ref(column.column);
    const { rows } = await sql<{
      id: string;
    }>`SELECT DISTINCT SUBSTR(${value}, ${sql.lit(SEALED_PREFIX.length + 1)}, ${sql.lit(KEY_ID_LENGTH)}) AS id
      FROM ${sql.table(column.table)} WHERE ${value} LIKE ${sql.lit(`${SEALED_PREFIX}%`)}`.execute(database);
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

function filterOf({ where = "1 = 1" }: SecretColumn) {
  return sql.raw(where);
}
