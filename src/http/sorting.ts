import { z } from "zod";
import { compareNames } from "../contract/words.ts";
import { ServiceError } from "../platform/errors.ts";
import { type CursorPage, type Order, pageOf } from "./cursor.ts";

export interface Sorting<Key extends string> {
  sort?: Key | undefined;
  order?: "asc" | "desc" | undefined;
}

/** `sort` and `order` of a list. */
export function sorting<const Keys extends readonly [string, ...string[]]>(keys: Keys) {
  return {
    sort: z.enum(keys).optional().meta({ description: "the column that rows are sorted by; rows without a value come last" }),
    order: z.enum(["asc", "desc"]).optional().meta({ description: "with `sort` alone; `asc` by default" }),
  };
}

/** The value by which a row is sorted. */
export type SortValue = string | number | null;
type Place<Usual> = [by: string, value: SortValue, usual: Usual];

const sortValue = z.union([z.string(), z.number(), z.null()]);
/**
 * A page of the rows in the requested order. Equal rows keep the usual order, and so do all without `sort`. `rows` are in the usual order. Throws
 * `unusable_values` for `order` without `sort`, and for a cursor of another order.
 */
export function sortedPage<Row, Usual, Key extends string>(
  rows: readonly Row[],
  { sort, order, ...page }: CursorPage & Sorting<Key>,
  usual: Order<Row, Usual>,
  values: Readonly<Record<Key, (row: Row) => SortValue>>,
): { page: readonly Row[]; next: string | null } {
  if (sort === undefined) {
    refuseLoneOrder(order);
    return pageOf(rows, page, usual);
  }
  const by = `${sort} ${order ?? "asc"}`;
  const direction = order === "desc" ? -1 : 1;
  const value = values[sort];
  const places: Order<{ row: Row; place: Place<Usual> }, Place<Usual>> = {
    place: z.tuple([z.literal(by), sortValue, usual.place]),
    placeOf: ({ place }) => place,
    compare: ([, one, place], [, other, otherPlace]) => compareValues(one, other, direction) || usual.compare(place, otherPlace),
  };
  const placed = rows.map((row): { row: Row; place: Place<Usual> } => ({ row, place: [by, value(row), usual.placeOf(row)] }));
  const sorted = placed.toSorted((one, other) => places.compare(one.place, other.place));
  const found = pageOf(sorted, page, places);
  return { page: found.page.map(({ row }) => row), next: found.next };
}

/** All rows in the requested order, for a list that is paged by offset. Otherwise as {@link sortedPage}. */
export function sortedRows<Row, Key extends string>(
  rows: readonly Row[],
  { sort, order }: Sorting<Key>,
  values: Readonly<Record<Key, (row: Row) => SortValue>>,
): readonly Row[] {
  if (sort === undefined) {
    refuseLoneOrder(order);
    return rows;
  }
  const direction = order === "desc" ? -1 : 1;
  const placed = rows.map((row) => ({ row, value: values[sort](row) }));
  return placed.sort((one, other) => compareValues(one.value, other.value, direction)).map(({ row }) => row);
}

function refuseLoneOrder(order: "asc" | "desc" | undefined): void {
  if (order !== undefined) throw unusable("order", "Needs sort, which names the column");
}

/** For a list with a fixed order. */
export function refuseSorting({ sort, order }: Sorting<string>, why: string): void {
  if (sort !== undefined || order !== undefined) throw unusable(sort === undefined ? "order" : "sort", why);
}

/** null is last in either direction. */
function compareValues(one: SortValue, other: SortValue, direction: 1 | -1): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  const difference = typeof one === "number" && typeof other === "number" ? one - other : compareNames(String(one), String(other));
  return difference * direction;
}

function unusable(path: string, message: string): ServiceError {
  return new ServiceError("unusable_values", `The query cannot be used: ${path}: ${message}.`, [{ path, message }]);
}
