import { isDeepStrictEqual } from "node:util";
import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from "kysely";

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
    const { sql, parameters } = build(tx, values).compile();
    if (!isDeepStrictEqual(parameters, Object.values(values))) {
      throw new TypeError(`the parameters of a kept statement are not its values ${Object.keys(values).join(", ")}, in this order: ${sql}`);
    }
    // The keys of an object are keys of its type.
    return { text: sql, keys: Object.keys(values) as (keyof Values)[] };
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
export function inTables<Schema>(unit: Unit): Kysely<Schema> {
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
    const { sql, parameters } = build(tx, rows).compile();
    if (!isDeepStrictEqual(parameters, rows.flatMap(Object.values))) {
      throw new TypeError(`the parameters of a kept statement are not the values of its rows, in the order of their keys: ${sql}`);
    }
    texts.set(rows.length, sql);
    return sql;
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
