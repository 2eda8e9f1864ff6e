import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { cutLine, excerptOf, lastLinesOf } from "./excerpt.ts";

describe("a line that is cut", () => {
  const cases: [what: string, text: string, maxLength: number, expected: string][] = [
    ["is left alone when it fits", "one two", 7, "one two"],
    ["ends between two words", "one two three", 9, "one two…"],
    ["ends with a word that just fits", "one two three", 8, "one two…"],
    ["does not end within the password of an address", "db postgres://shop:hunter2@db/shop up", 25, "db…"],
    ["does not end within a token", '{"token":"eyJhbGciOi.eyJzdWIiOiIx.c2ln"}', 30, '{"token":…'],
    ["is nothing when it is one word", "x".repeat(50), 10, "…"],
    ["is empty when it was", "", 1, ""],
  ];
  for (const [what, text, maxLength, expected] of cases) it(what, () => assert.equal(cutLine(text, maxLength), expected));

  it("is never longer than asked, and begins as it did", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, maxLength) => {
        const cut = cutLine(text, maxLength);
        assert.ok(cut.length <= maxLength);
        assert.ok(cut === text || text.startsWith(cut.slice(0, -1)));
      }),
    );
  });
});

describe("an excerpt", () => {
  it("is the last lines that fit, and counts the others", () => {
    const lines = ["a a a", "bbb", "c c c c c"].map((text) => ({ text }));
    assert.deepEqual(excerptOf(lines, { line: 6, total: 8 }), {
      lines: [{ text: "bbb" }, { text: "c c c…" }].slice(1),
      leftOut: 2,
      cut: 1,
    });
    assert.deepEqual(excerptOf(lines, { line: 6, total: 9 }), { lines: [{ text: "bbb" }, { text: "c c c…" }], leftOut: 1, cut: 1 });
    assert.deepEqual(excerptOf(lines, { line: 100, total: 1 }).lines, [{ text: "c c c c c" }], "one line at least");
    assert.deepEqual(excerptOf([], { line: 1, total: 1 }), { lines: [], leftOut: 0, cut: 0 });
  });

  it("keeps within its limits, and what it keeps is the end", () => {
    const limits = fc.record({ line: fc.integer({ min: 1, max: 50 }), total: fc.integer({ min: 1, max: 200 }) });
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 100 })), limits, (texts, { line, total }) => {
        const { lines, leftOut } = excerptOf(
          texts.map((text, number) => ({ text, number })),
          { line, total },
        );
        assert.equal(lines.length + leftOut, texts.length);
        assert.deepEqual(
          lines.map(({ number }) => number),
          texts.map((_, number) => number).slice(leftOut),
        );
        assert.ok(lines.reduce((sum, { text }) => sum + text.length, 0) <= Math.max(total, line));
      }),
    );
  });

  it("of a text is its end", () => {
    assert.equal(lastLinesOf("one\ntwo\nthree", { line: 10, total: 8 }), "two\nthree");
    assert.equal(lastLinesOf("", { line: 10, total: 8 }), "");
  });
});
