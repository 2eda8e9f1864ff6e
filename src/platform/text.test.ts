import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { cleanName } from "./text.ts";

const CASES: [what: string, text: string, cleaned: string][] = [
  ["a plain name stays", "web-1", "web-1"],
  ["letters of all scripts stay", "Köln 東京 Москва ไทย", "Köln 東京 Москва ไทย"],
  ["white space is folded", "  a \t\r\n b\u00a0\u3000c  ", "a b c"],
  ["colours go", "\u001b[1;31mred\u001b[0m", "red"],
  ["cursor movements go", "a\u001b[2J\u001b[Hb", "ab"],
  ["a window title goes, ended by a bell", "\u001b]0;evil\u0007web", "web"],
  ["a link goes, ended by a string terminator", "\u001b]8;;http://x\u001b\\web", "web"],
  ["a broken escape loses its escape character", "\u001b[31", "[31"],
  ["an unended title loses its beginning", "\u001b]0;evil", "0;evil"],
  ["escapes that appear when others go cannot escape", "\u001b\u001b[0m[31mx", "[31mx"],
  ["eight-bit escapes go", "a\u009b31mb", "a 31mb"],
  ["the null character goes", "a\u0000b", "a b"],
  ["bidirectional overrides go", "exe.\u202etxt.\u2066x\u2069", "exe. txt. x"],
  ["the Arabic letter mark goes, which directs too", "a\u061cb", "a b"],
  ["invisible characters go", "a\u200bb\u2060c\u00add\ufeffe\u180ef\ufff9g", "a b c d e f g"],
  ["line and paragraph separators go", "a\u2028b\u2029c", "a b c"],
  ["invisible tags go", "a\u{e0041}\u{e007f}b", "a b"],
  ["halves of a character go", "a\ud800b\udc00c", "a b c"],
  ["private characters go", "a\ue000b", "a b"],
  ["nothing but control characters is nothing", "\u0000\u001b\u202e \n", ""],
];

for (const [what, text, cleaned] of CASES) test(what, () => assert.equal(cleanName(text), cleaned));

test("is bounded in characters, and says that it was cut", () => {
  assert.equal(cleanName("a".repeat(255)), "a".repeat(255));
  assert.equal(cleanName("a".repeat(256)), `${"a".repeat(254)}…`);
  assert.equal(cleanName("abcdef", 4), "abc…");
});

test("is not called cut when nothing is missing, and is never cut inside a character", () => {
  assert.equal(cleanName("🚢".repeat(200)), "🚢".repeat(200));
  assert.equal(cleanName("🚢".repeat(300)), `${"🚢".repeat(254)}…`);
});

test("whatever comes in, nothing that steers a terminal or a reader comes out", () => {
  const nasty = fc.constantFrom(
    "\u001b",
    "[",
    "]",
    "0",
    ";",
    "m",
    "\\",
    "\u0007",
    "\u009b",
    "\u202e",
    "\u061c",
    "\ud83d",
    "\ude00",
    "é",
    " ",
    "\n",
    "\u200d",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(nasty, { maxLength: 40 }).map((each) => each.join("")),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, maxLength) => {
      const cleaned = cleanName(text, maxLength);
      assert.doesNotMatch(cleaned, /[\p{Cc}\p{Cf}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      assert.ok(cleaned.isWellFormed());
      assert.ok([...cleaned].length <= maxLength);
      assert.equal(cleaned, cleaned.trim());
      assert.equal(cleanName(cleaned, maxLength), cleaned, "once cleaned, it stays as it is");
    }),
    { numRuns: 2000 },
  );
});

for (const [name, text] of Object.entries({
  letters: "a".repeat(1_000_000),
  spaces: `a${" ".repeat(1_000_000)}b`,
  "escape characters": "\u001b".repeat(1_000_000),
  "begun colours": "\u001b[".repeat(500_000),
  "one endless colour": `\u001b[${"0;".repeat(500_000)}`,
  "one endless colour with spaces": `\u001b[${"0".repeat(500_000)}${" ".repeat(500_000)}`,
  "begun titles": "\u001b]".repeat(500_000),
  "one endless title": `\u001b]${"x".repeat(1_000_000)}`,
  "halves of characters": "\ud83d".repeat(1_000_000),
  "big characters": "🚢".repeat(500_000),
})) {
  test(`a megabyte of ${name} is cleaned at once`, () => {
    const startedMs = performance.now();
    assert.ok([...cleanName(text)].length <= 255);
    assert.ok(performance.now() - startedMs < 10_000);
  });
}
