import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createItemSplitter } from "./json-items.ts";

/** The items of a text that comes in chunks of a size. */
function split(text: string, size: number): { items: unknown[]; whole: boolean } {
  const bytes = Buffer.from(text);
  const splitter = createItemSplitter();
  const items: unknown[] = [];
  for (let from = 0; from < bytes.length; from += size)
    items.push(...(JSON.parse(splitter.push(bytes.subarray(from, from + size)) ?? "[]") as unknown[]));
  return { items, whole: splitter.isWhole() };
}

describe("a list in chunks", () => {
  it("has the items that it has in one piece, wherever it is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 2),
        (list, size, indent) => {
          const { items, whole } = split(JSON.stringify(list, null, indent), size);
          assert.deepEqual(items, JSON.parse(JSON.stringify(list)));
          assert.equal(whole, true);
        },
      ),
      { examples: [[['a"],[\\', { "]": '\\"' }, "ü€"], 1, undefined]] },
    );
  });

  it("is not whole before its end, nor when it is none", () => {
    for (const text of ["", "[", '[{"a":1}', '[{"a":1},', "null", '"[]"']) assert.equal(split(text, 3).whole, false, text);
  });
});
