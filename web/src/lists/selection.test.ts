import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rangeOf, toggleMarks } from "./selection.ts";

describe("selected rows", () => {
  const ids = [4, 9, 2, 7];

  it("range from the row chosen before to this one, up or down", () => {
    assert.deepEqual(rangeOf(ids, 9, 7), [9, 2, 7]);
    assert.deepEqual(rangeOf(ids, 7, 9), [9, 2, 7]);
    assert.deepEqual(rangeOf(ids, 2, 2), [2]);
  });

  it("are only this one when the row chosen before is gone", () => {
    assert.deepEqual(rangeOf(ids, undefined, 2), [2]);
    assert.deepEqual(rangeOf(ids, 100, 2), [2]);
  });

  it("are marked one by one, and let go again", () => {
    const one = toggleMarks(new Set(), 4);
    assert.deepEqual([...toggleMarks(one, 9)], [4, 9]);
    assert.deepEqual([...toggleMarks(one, 4)], []);
  });

  it("become all of a range as the last one does", () => {
    assert.deepEqual([...toggleMarks(new Set([9]), 7, [9, 2, 7])], [9, 2, 7]);
    assert.deepEqual([...toggleMarks(new Set([4, 9, 7]), 7, [9, 2, 7])], [4]);
  });
});
