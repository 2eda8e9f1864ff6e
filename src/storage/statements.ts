import { isDeepStrictEqual } from "node:util";
import { type Compilable, CompiledQuery, type Kysely, type QueryResult, type RawBuilder, sql } from "kysely";

/** A statement for hot paths, see {@link keptStatement}. */
export type KeptStatement<Schema, Values extends object, Result> = (tx: Kysely<Schema>, values: Values) => Promise<QueryResult<Result>>;

/**
 * A statement that is built once and then run with other values, since building one costs more than running it. Its parameters must be all values of
 * the first call, in the order of their keys; a statement that is built otherwise throws.
 */
export function keptStatement<Schema, Values extends object, Result>(
  build: (tx: Kysely<Schema>, values: Values) => Compilable<Result>,
): KeptStatement<Schema, Values, Result> {
  let kept: { text: string; keys: (keyof Values)[] } | undefined;

  function keep(tx: Kysely<Schema>, values: Values): NonNullable<typeof kept> {
    const { sql: text, parameters } = build(tx, values).compile();
    if (!isDeepStrictEqual(parameters, Object.values(values))) {
      throw new TypeError(
        `the parameters of a kept statement are not its values ${Object.keys(values).join(", ")}, in this order: ${text}`,
      );
    }
    // The keys of an object are keys of its type.
    return { text, keys: Object.keys(values) as (keyof Values)[] };
  }

  return async (tx, values) => {
    const { text, keys } = (kept ??= keep(tx, values));
    const filled = keys.map((key) => values[key]);
    return tx.executeQuery<Result>(CompiledQuery.raw(text, filled));
  };
}

/** A unit of writing that several features share. */
export type Unit = Kysely<object>;

/** The same unit with the types of one feature's tables, which differ only in types. */
export function inTables<Schema>(unit: Unit | Kysely<never>): Kysely<Schema> {
  return unit as unknown as Kysely<Schema>;
}

/** The parts of a list, each small enough for one statement. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** A statement about many rows, see {@link keptRows}. */
type KeptRows<Schema, Row extends object, Result> = (tx: Kysely<Schema>, rows: readonly Row[]) => Promise<Result[]>;

/** How many rows one statement takes. Few sizes, since each is a separate text; the large ones save round trips. */
const SIZES = [64, 8, 1] as const;

/**
 * A statement for any number of rows of one shape, built once for each of a few sizes. Its parameters must be all values of the rows, in the order of
 * their keys; a statement that is built otherwise throws. Answers the results of the statements.
 */
export function keptRows<Schema, Row extends object, Result>(
  build: (tx: Kysely<Schema>, rows: readonly Row[]) => Compilable<Result>,
): KeptRows<Schema, Row, Result> {
  const texts = new Map<number, string>();

  function textFor(tx: Kysely<Schema>, rows: readonly Row[]): string {
    const kept = texts.get(rows.length);
    if (kept !== undefined) return kept;
    const { sql: text, parameters } = build(tx, rows).compile();
    if (!isDeepStrictEqual(parameters, rows.flatMap(Object.values))) {
      throw new TypeError(`the parameters of a kept statement are not the values of its rows, in the order of their keys: ${text}`);
    }
    texts.set(rows.length, text);
    return text;
  }

  return async (tx, rows) => {
    const results: Result[] = [];
    for (let from = 0; from < rows.length;) {
      const size = SIZES.find((each) => each <= rows.length - from) ?? 1;
      const some = rows.slice(from, from + size);
      const { rows: returned } = await tx.executeQuery<Result>(CompiledQuery.raw(textFor(tx, some), some.flatMap(Object.values)));
      results.push(...returned);
      from += size;
    }
    return results;
  };
}

/** The types to which values from outside a table must be cast. */
export type ColumnType = "TEXT" | "BIGINT" | "DOUBLE PRECISION";

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
