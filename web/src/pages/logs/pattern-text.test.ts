import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { patternParts, searchFor } from "./pattern-text.ts";

describe("the text of a pattern", () => {
  it("has what stands for others apart", () => {
    assert.deepEqual(patternParts("GET /<number> by <id>"), [
      { text: "GET /", isVariable: false },
      { text: "number", isVariable: true },
      { text: " by ", isVariable: false },
      { text: "id", isVariable: true },
    ]);
    assert.deepEqual(patternParts("<b>bold</b> <numbers>"), [{ text: "<b>bold</b> <numbers>", isVariable: false }]);
  });

  it("is found by its longest part", () => {
    assert.equal(searchFor("<time> GET /<number> took too long: <number> ms"), "took too long:");
    assert.equal(searchFor("<number><id>"), undefined);
    assert.equal(searchFor("x".repeat(400))?.length, 255);
  });
});
