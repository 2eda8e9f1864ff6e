import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createFinder, foundWords } from "./find.ts";

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

test("what was found says in how many lines", () => {
  const none = { found: 0, isSearching: false, linesShown: 1204 };
  assert.equal(foundWords(none, undefined), "0 in 1,204 lines");
  assert.equal(foundWords({ ...none, found: 1, linesShown: 1 }, undefined), "1 in 1 line");
  assert.equal(foundWords({ ...none, found: 17, isSearching: true }, undefined), "17… in 1,204 lines");
  assert.equal(foundWords({ ...none, found: 1700 }, 3), "3 of 1,700");
});
