import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from "kysely";

/** A statement for hot paths, see {@link keptStatement}. */
export type KeptStatement<Schema, Values extends object, Result> = (tx: Kysely<Schema>, values: Values) => Promise<QueryResult<Result>>;

/**
 * A statement that is built once and then only filled with other values: building one costs more than running it. Its parameters
 * are the values in the order of their keys, so every call must give the same keys in the same order.
 */
export function keptStatement<Schema, Values extends object, Result>(
  build: (tx: Kysely<Schema>, values: Values) => Compilable<Result>,
): KeptStatement<Schema, Values, Result> {
  let text: string | undefined;
  return (tx, values) => {
    text ??= build(tx, values).compile().sql;
    return tx.executeQuery<Result>(CompiledQuery.raw(text, Object.values(values)));
  };
}
