import assert from "node:assert/strict";
import { it } from "node:test";
import { capitalise, countText, joinWords, orWords } from "./words.ts";

it("puts a capital first", () => {
  assert.equal(capitalise("critical or warning"), "Critical or warning");
  assert.equal(capitalise("é"), "É");
  assert.equal(capitalise(""), "");
});

it("writes counts as people read them", () => {
  for (const count of [0, 7, 999, 1_000, 10_000, 123_456, 1_234_567]) assert.equal(countText(count), count.toLocaleString("en"));
});

it("joins words", () => {
  assert.deepEqual(
    [[], ["a"], ["a", "b"], ["a", "b", "c"]].map((words) => joinWords(words)),
    ["", "a", "a and b", "a, b and c"],
  );
  assert.equal(orWords(["a", "b", "c"]), "a, b or c");
});
