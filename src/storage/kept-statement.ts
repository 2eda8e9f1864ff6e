import { isDeepStrictEqual } from "node:util";
import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from "kysely";

/** A statement for hot paths, see {@link keptStatement}. */
export type KeptStatement<Schema, Values extends object, Result> = (tx: Kysely<Schema>, values: Values) => Promise<QueryResult<Result>>;

/**
 * A statement that is built once and then only filled with other values: building one costs more than running it. Its parameters
 * must be the values of the first call, all of them, in the order of their keys; one that is built otherwise throws.
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
