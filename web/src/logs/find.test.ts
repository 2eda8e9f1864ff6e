import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createFinder } from "./find.ts";

const found = (query: string, text: string): string[] =>
  createFinder(query)
    ?.rangesIn(text)
    .map(({ start, end }) => text.slice(start, end)) ?? [];

test("an empty query finds nothing", () => assert.equal(createFinder(""), null));

const cases: [string, string, string[]][] = [
  ["heap", "Heap at HEAP", ["Heap", "HEAP"]],
  ["a.b", "axb a.b", ["a.b"]],
  ["[x]*(", "y[X]*(", ["[X]*("]],
  ["ÄÖ", "äö", ["äö"]],
  ["i", "İi", ["i"]],
  ["aa", "aaaa", ["aa", "aa"]],
  ["😀", "x😀😀", ["😀", "😀"]],
  ["-", "a-b", ["-"]],
];
for (const [query, text, expected] of cases) test(`${query} in ${text}`, () => assert.deepEqual(found(query, text), expected));

test("highlights are bounded", () => assert.equal(found("a", "a".repeat(100_000)).length, 200));

test("any text finds itself, whatever signs are in it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
      assert.ok(createFinder(text)?.isIn(`before ${text} after`));
    }),
  );
});
