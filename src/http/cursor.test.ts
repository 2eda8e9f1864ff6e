import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { isServiceError } from "../platform/errors.ts";
import { type Order, pageOf, writeCursor } from "./cursor.ts";

interface Thing {
  name: string;
  id: number;
}

const BY_NAME: Order<Thing, [string, number]> = {
  place: z.tuple([z.string(), z.number()]),
  placeOf: ({ name, id }) => [name, id],
  compare: ([name, id], [otherName, otherId]) => Number(name > otherName) - Number(name < otherName) || id - otherId,
};

const things: Thing[] = ["a", "b", "b", "c", "ü", "😀"].map((name, index) => ({ name, id: index + 1 }));

function readAll(limit: number): number[][] {
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const { page, next } = pageOf(things, { limit, cursor }, BY_NAME);
    pages.push(page.map(({ id }) => id));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

describe("pages of a sorted list", () => {
  it("are all rows once, and the last says that it is the last", () => {
    assert.deepEqual(readAll(2), [
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    assert.deepEqual(readAll(4), [
      [1, 2, 3, 4],
      [5, 6],
    ]);
    assert.deepEqual(readAll(6), [[1, 2, 3, 4, 5, 6]]);
  });

  it("hold at most a thousand rows when nobody says how many", () => {
    const many = Array.from({ length: 1001 }, (_, id) => ({ name: "x", id }));
    const { page, next } = pageOf(many, {}, BY_NAME);
    assert.equal(page.length, 1000);
    assert.deepEqual(pageOf(many, { cursor: next ?? "" }, BY_NAME), { page: [{ name: "x", id: 1000 }], next: null });
  });

  it("leave nothing out and repeat nothing when the row at the end of a page is gone, or others came before it", () => {
    const { next } = pageOf(things, { limit: 3 }, BY_NAME);
    const meanwhile = [{ name: "0", id: 9 }, { name: "a", id: 10 }, ...things.filter(({ id }) => id !== 3)];
    const { page } = pageOf(meanwhile, { limit: 10, cursor: next ?? "" }, BY_NAME);
    assert.deepEqual(
      page.map(({ id }) => id),
      [4, 5, 6],
    );
  });

  it("of a list that has become empty are one empty page", () => {
    assert.deepEqual(pageOf([], { cursor: writeCursor(["b", 2]) }, BY_NAME), { page: [], next: null });
  });

  for (const cursor of ["x", "AAAA", writeCursor("b"), writeCursor(["b", "2"]), writeCursor(["b", 2, 3])])
    it(`refuses ${cursor}, which no list gave`, () => {
      assert.throws(
        () => pageOf(things, { cursor }, BY_NAME),
        (error) => isServiceError(error, "unusable_values") && /cursor/.test(error.message),
      );
    });
});
