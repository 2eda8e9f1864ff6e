import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { fc } from "../../test/support/seed.ts";
import { isServiceError } from "../platform/errors.ts";
import { type Order } from "./cursor.ts";
import { sortedPage, sortedRows } from "./sorting.ts";

interface Thing {
  id: number;
  size: number | null;
  name: string;
}

const BY_ID: Order<Thing, number> = { place: z.number(), placeOf: ({ id }) => id, compare: (one, other) => one - other };
const VALUES = { size: ({ size }: Thing) => size, name: ({ name }: Thing) => name };
type Query = Parameters<typeof sortedPage<Thing, number, keyof typeof VALUES>>[1];

function pages(things: readonly Thing[], query: Query): number[][] {
  const found: number[][] = [];
  let cursor: string | undefined;
  do {
    const { page, next } = sortedPage(things, { ...query, cursor }, BY_ID, VALUES);
    found.push(page.map(({ id }) => id));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const sizes = [3, null, 1, 3, null].map((size, index) => ({ id: index + 1, size, name: `web-${12 - index}` }));

describe("a list that is sorted by a column", () => {
  it("has rows without a value last in either direction, and equal ones in the usual order", () => {
    assert.deepEqual(pages(sizes, { sort: "size" }), [[3, 1, 4, 2, 5]]);
    assert.deepEqual(pages(sizes, { sort: "size", order: "desc" }), [[1, 4, 3, 2, 5]]);
    assert.deepEqual(pages(sizes, { limit: 2 }), [[1, 2], [3, 4], [5]]);
  });

  it("sorts texts as people count", () => {
    assert.deepEqual(pages(sizes, { sort: "name" }), [[5, 4, 3, 2, 1]]);
  });

  it("has the same order where it is paged by offset", () => {
    for (const query of [{}, { sort: "size" }, { sort: "size", order: "desc" }, { sort: "name" }] as const)
      assert.deepEqual(
        sortedRows(sizes, query, VALUES).map(({ id }) => id),
        pages(sizes, query).flat(),
      );
    assert.throws(
      () => sortedRows(sizes, { order: "desc" }, VALUES),
      (error) => isServiceError(error, "unusable_values"),
    );
  });

  it("is all rows once, page by page, however it is sorted", () => {
    const thing = fc.record({ size: fc.option(fc.integer({ min: 0, max: 3 })), name: fc.string({ maxLength: 3 }) });
    const query = fc.record({
      sort: fc.constantFrom("size" as const, "name" as const),
      order: fc.constantFrom("asc" as const, "desc" as const),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(thing, { maxLength: 12 }), query, (given, asked) => {
        const things = given.map((each, id) => ({ ...each, id }));
        const all = pages(things, asked).flat();
        assert.deepEqual(all, pages(things, { ...asked, limit: 100 }).flat());
        assert.deepEqual(
          all.toSorted((a, b) => a - b),
          things.map(({ id }) => id),
        );
      }),
    );
  });

  it("refuses an order of nothing, and a cursor of another order", () => {
    const { next } = sortedPage(sizes, { sort: "size", limit: 2 }, BY_ID, VALUES);
    const cursor = next ?? "";
    for (const query of [{ order: "desc" }, { cursor }, { sort: "name", cursor }, { sort: "size", order: "desc", cursor }] as const)
      assert.throws(
        () => sortedPage(sizes, query, BY_ID, VALUES),
        (error) => isServiceError(error, "unusable_values"),
        JSON.stringify(query),
      );
  });
});
