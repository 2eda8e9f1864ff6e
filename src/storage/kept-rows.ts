import { isDeepStrictEqual } from "node:util";
import { type Compilable, CompiledQuery, type Kysely } from "kysely";

/** A statement about many rows, see {@link keptRows}. */
export type KeptRows<Schema, Row extends object, Result> = (tx: Kysely<Schema>, rows: readonly Row[]) => Promise<Result[]>;

/** How many rows go with one statement. Few sizes, since each is a text of its own; the large ones spare round trips. */
const SIZES = [64, 8, 1] as const;

/**
 * A statement about rows of one shape, as many as there are, that is built once for each of a few numbers of rows. Its parameters must be the values of
 * the rows, all of them, in the order of their keys; one that is built otherwise throws. Answers what the statements return.
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
