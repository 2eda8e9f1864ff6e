import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { parseAnsi } from "./ansi.ts";
import { decorate } from "./decorate.ts";
import { createFinder } from "./find.ts";
import { findLevel } from "../../../src/contract/log-level.ts";

/** Found text in [], the level's word in <>, a change of style as |. */
function drawn(line: string, query = ""): string {
  const spans = parseAnsi(line);
  const plain = spans.map((span) => span.text).join("");
  return decorate(spans, createFinder(query)?.rangesIn(plain) ?? [], findLevel(plain))
    .map(({ text, isFound, level, style }) => `${style === null ? "" : "|"}${isFound ? `[${text}]` : level === null ? text : `<${text}>`}`)
    .join("");
}

const cases: [string, string, string][] = [
  ["plain", "", "plain"],
  ["warn  heap heap", "heap", "<warn>  [heap] [heap]"],
  ["a\u001b[31mbc\u001b[0md", "abcd", "[a]|[bc][d]"],
  ["\u001b[33mWARN\u001b[0m x", "arn", "|<W>|[ARN] x"],
  ["heapheap", "heap", "[heap][heap]"],
  ["", "x", ""],
];
for (const [line, query, expected] of cases) test(JSON.stringify(line), () => assert.equal(drawn(line, query), expected));

test("no character is lost or doubled", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "\u001b[31m", "\u001b[0m", "level=warn ", " ")),
      fc.constantFrom("a", "ab", "b a", ""),
      (parts, query) => {
        const spans = parseAnsi(parts.join(""));
        const plain = spans.map((span) => span.text).join("");
        const pieces = decorate(spans, createFinder(query)?.rangesIn(plain) ?? [], findLevel(plain));
        assert.equal(pieces.map((piece) => piece.text).join(""), plain);
        assert.ok(pieces.every((piece) => piece.text !== ""));
      },
    ),
  );
});
