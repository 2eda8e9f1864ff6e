import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";

/** The types to which values from outside a table must be cast. */
type ColumnType = "TEXT" | "BIGINT" | "DOUBLE PRECISION";

export interface RowsUpdate<Row extends object> {
  table: string;
  /** The types of the columns of the given rows. */
  types: Readonly<Record<string, ColumnType>>;
  rows: readonly Row[];
  /** A further condition for the row, such as `AND deleted_at IS NULL`. */
  condition?: RawBuilder<unknown>;
}

/** One statement that sets each of many rows to its own values, by id; returns the ids of the rows that it changed. For keptRows. */
export function updateRows<Schema, Row extends { id: number }>(
  tx: Kysely<Schema>,
  { table, types, rows, condition = sql`` }: RowsUpdate<Row>,
): Compilable<{ id: number }> {
  const columns = Object.keys(rows[0] ?? {}).filter((column): column is keyof Row & string => column in types);
  const sets = columns.map((column) => sql`${sql.ref(column)} = CAST(${columnOf(rows, column)} AS ${sql.raw(types[column] ?? "")})`);
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
  const statement = sql<{ id: number }>`UPDATE ${sql.table(table)} SET ${sql.join(sets)} FROM (VALUES ${sql.join(values)}) AS given
    WHERE id = CAST(${columnOf(rows, "id")} AS BIGINT) ${condition} RETURNING id`;
  return { compile: () => statement.compile(tx) };
}

/** A column of the given rows. Both databases number the columns of VALUES, and only one of them can name them. */
export function columnOf<Row extends object>([first]: readonly Row[], column: keyof Row & string): RawBuilder<unknown> {
  return sql.ref(`given.column${Object.keys(first ?? {}).indexOf(column) + 1}`);
}
