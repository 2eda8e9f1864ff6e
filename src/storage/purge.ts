import type { Kysely } from "kysely";

/** A unit of writing that several features take part in. */
export type Unit = Kysely<object>;

/** The same unit through the tables of one feature: which ones a unit sees is a matter of types alone. */
export function inTables<Schema>(unit: Unit): Kysely<Schema> {
  return unit as unknown as Kysely<Schema>;
}

/** Parts of a list, each small enough for one statement. */
export function* inBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
