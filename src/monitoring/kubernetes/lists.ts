import { z } from "zod";
import { compareNames } from "../../contract/names.ts";
import { type CursorPage, type Order, pageOf } from "../../http/cursor.ts";
import type { Cluster } from "./cluster.ts";

/** A place in a list: two texts as people order them, then what tells it from all others. */
const place = z.tuple([z.string(), z.string(), z.string()]);
type Place = z.infer<typeof place>;

/** An object of a cluster, and where it stands. */
export interface Row<Object> {
  cluster: Cluster;
  object: Object;
  place: Place;
}

const ORDER: Order<Pick<Row<unknown>, "place">, Place> = {
  place,
  placeOf: (row) => row.place,
  compare: (one, other) =>
    compareNames(one[0], other[0]) || compareNames(one[1], other[1]) || (one[2] < other[2] ? -1 : Number(one[2] > other[2])),
};

/** A page of rows in their order. Throws `unusable_values` for a cursor that is none. */
export function pageOfRows<Object>(rows: Row<Object>[], query: CursorPage): { page: readonly Row<Object>[]; next: string | null } {
  rows.sort((a, b) => ORDER.compare(a.place, b.place));
  const { page, next } = pageOf(rows, query, ORDER as Order<Row<Object>, Place>);
  return { page, next };
}

/** Whether a text that is looked for is in one of these, in any case. */
export function matches(search: string | undefined, ...texts: readonly string[]): boolean {
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
