import assert from "node:assert/strict";
import { test } from "node:test";
import { RE2JS } from "re2js";
import { fc } from "../../../test/support/seed.ts";
import { DEFAULT_UPDATE_SETTINGS } from "../../observations.ts";
import { createPatternReader, expressionSize } from "./patterns.ts";

const including = (tagInclude: string) => ({ ...DEFAULT_UPDATE_SETTINGS, tagInclude });

test("an expression whose program would be large is refused before it is compiled", (t) => {
  const compile = t.mock.method(RE2JS, "compile");
  const readPatterns = createPatternReader();
  for (const large of [
    ".{900}".repeat(80),
    "(((.?){10}){10}){10}",
    ".{1,100}".repeat(60),
    "(a|b|c){1000}",
    "(?:(?:a{99}){9}){9}",
    "\\pL{1000}",
  ]) {
    const read = readPatterns(including(large));
    assert.ok("error" in read && /service\.update\.tag-include .*large/.test(read.error), large);
  }
  assert.equal(compile.mock.callCount(), 0);
  for (const usual of [
    "^\\d+\\.\\d+\\.\\d+$",
    "^v?[0-9]{1,4}(\\.[0-9]{1,4}){0,3}(-alpine(3\\.\\d{1,2})?)?$",
    "(?i)^(?P<year>20\\d\\d)\\.(0[1-9]|1[0-2])$",
    "a".repeat(500),
  ])
    assert.ok(!("error" in readPatterns(including(usual))), usual);
});

test("an expression is compiled once, and a bounded number of them is kept", (t) => {
  const compile = t.mock.method(RE2JS, "compile");
  const readPatterns = createPatternReader();
  for (let time = 0; time < 10; time += 1) readPatterns({ ...including("^1"), tagExclude: "rc" });
  assert.equal(compile.mock.callCount(), 2);
  for (let index = 0; index < 1000; index += 1) readPatterns(including(`^${index}`));
  const before = compile.mock.callCount();
  readPatterns(including("^999"));
  assert.equal(compile.mock.callCount(), before);
  readPatterns(including("^0"));
  assert.equal(compile.mock.callCount(), before + 1);
});

test("the size of an expression is at least about that of its program", () => {
  const leaf = fc.constantFrom(
    "a",
    ".",
    "\\d",
    "\\pL",
    "\\p{Greek}",
    "[a-z]",
    "[^]a\\]]",
    "[[:alpha:]x]",
    "\\Q{9}(\\E",
    "^",
    "\\b",
    "{",
    "é",
    "\\x{41}",
  );
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => one + other),
      fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(
          fc.constantFrom("(", "(?:", "(?i)(", "(?i:", "(?P<n>"),
          tie("expression"),
          fc.constantFrom("*", "+?", "{3}", "{2,}", "{0,7}", "{2,5}?"),
        )
        .map(([open, inner, sign]) => `${open}${inner})${sign}`),
    ),
  }));
  let compiled = 0;
  fc.assert(
    fc.property(expression, (text) => {
      const size = expressionSize(text);
      if (size > 20_000) return;
      let program: number;
      try {
        program = RE2JS.compile(text).programSize();
      } catch {
        return;
      }
      compiled += 1;
      assert.ok(program <= 2 * size, `${program} instructions, not about ${size}: ${text}`);
    }),
    { numRuns: 500 },
  );
  assert.ok(compiled > 100);
});
