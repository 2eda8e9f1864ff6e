import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { cleanName } from "../platform/text.ts";
import { line, lineOrNothing, lineWithoutComma, lines, searchedText, text, VISIBLE, wordInAnyCase } from "./texts.ts";

const schemaOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: "input" });

describe("texts of bodies", () => {
  it("are counted in characters, as JSON Schema counts them", () => {
    assert.equal(text(3).safeParse("🚀🚀🚀").success, true);
    assert.equal(text(3).safeParse("🚀🚀🚀🚀").success, false);
    assert.equal(text(3).safeParse("abcd").success, false);
    assert.partialDeepStrictEqual(schemaOf(text(3)), { type: "string", maxLength: 3 });
  });

  it("are described with all that is asked of them", () => {
    assert.partialDeepStrictEqual(schemaOf(line(10)), { type: "string", maxLength: 10, pattern: VISIBLE.source });
    assert.partialDeepStrictEqual(schemaOf(lines(10).optional()), { type: "string", maxLength: 10, pattern: VISIBLE.source });
    assert.partialDeepStrictEqual(schemaOf(lineOrNothing(10)), { type: "string", maxLength: 10 });
    assert.partialDeepStrictEqual(schemaOf(lineWithoutComma(10)), { allOf: [{ pattern: VISIBLE.source }, { pattern: "^[^,]*$" }] });
  });

  it("have something visible exactly where cleaning leaves something", () => {
    const differing: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if ((cleanName(character) !== "") !== VISIBLE.test(character)) differing.push(code.toString(16));
    }
    assert.deepEqual(differing, []);
  });

  it("have no NUL where a database is asked for them", () => {
    assert.equal(searchedText(5).safeParse("a\0b").success, false);
    assert.equal(searchedText(5).parse("a\nb"), "a\nb");
  });

  it("are never empty once cleaned, whatever sequences for terminals they have", () => {
    for (const given of ["\u001b[31m", "\u001b]0;title\u0007", "\u001bA", "a\u001b[0m"]) {
      const cleaned = line(100).parse(given);
      assert.match(cleaned, /\S/);
      assert.ok(!cleaned.includes("\u001b"));
    }
    assert.equal(line(100).parse("\u001b[31mred\u001b[0m"), "red");
  });

  it("are one of some words in any case", () => {
    const method = wordInAnyCase(["GET", "PUT"]);
    assert.equal(method.parse("get"), "GET");
    assert.equal(method.safeParse("GETS").success, false);
    assert.partialDeepStrictEqual(schemaOf(method), { type: "string", pattern: "^(?:[Gg][Ee][Tt]|[Pp][Uu][Tt])$" });
  });
});
