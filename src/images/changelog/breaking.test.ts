import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { breakingSentences } from "./breaking.ts";

describe("what breaks, by the sentence that says so", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ["nothing", "## What's changed\n* Faster start\n* New theme by @ada in https://example.com/pull/1", []],
    [
      "a heading, up to the next of its depth",
      "## ⚠ Breaking changes\n\n- The port is 8081 now. Adapt your proxy.\n  - see the guide\n### Database\n- SQLite files move.\n\n## Features\n- More colours",
      ["The port is 8081 now.", "SQLite files move."],
    ],
    ["a heading of one word", "## Breaking\n- The port is 81.\n- [BREAKING]", ["The port is 81."]],
    ["a heading of the first depth", "# Breaking changes\n- The port is 81.\n# Features\n- More colours", ["The port is 81."]],
    ["a heading that says there are none", "## Breaking changes\n\nNone.\n\n## Fixes\n- One", []],
    ["a heading that denies", "## No breaking changes\n- Faster start", []],
    ["bold text as a heading", "**Breaking changes:**\n* Key names are lower case\n\n**Features**\n* More", ["Key names are lower case"]],
    ["Removed, as changelogs keep it", "### Removed\n- `--legacy` flag (#12)\n### Added\n- `--modern` flag", ["--legacy flag"]],
    [
      "a marked commit",
      "* feat(api)!: drop XML answers by @bob in https://example.com/pull/9\n* feat: add YAML",
      ["feat(api)!: drop XML answers"],
    ],
    ["a footer", "fix: cookies\n\nBREAKING CHANGE: sessions from before are void.", ["BREAKING CHANGE: sessions from before are void."]],
    ["no longer", "- Python 3.8 is no longer supported.\n- The page no longer flickers.", ["Python 3.8 is no longer supported."]],
    [
      "what must be done",
      "Nice things. You must now set `SECRET_KEY` before the start. Enjoy!",
      ["You must now set SECRET_KEY before the start."],
    ],
    ["now requires", "- Now requires PostgreSQL 14 or later", ["Now requires PostgreSQL 14 or later"]],
    ["a migration", "Manual migration required: run `upgrade` once.", ["Manual migration required: run upgrade once."]],
    ["support that is gone", "- Dropped support for armv6", ["Dropped support for armv6"]],
    [
      "things that are gone",
      "- Removed the deprecated `/v1` endpoints\n- Removed unused imports",
      ["Removed the deprecated /v1 endpoints"],
    ],
    ["a warning sign", "> ⚠️ Back up your data first: the format changes.", ["⚠️ Back up your data first: the format changes."]],
    ["a new name", "- The option `a` has been renamed to `b`.", ["The option a has been renamed to b."]],
    ["a denial", "This release has no breaking changes. It does not contain breaking API changes.", []],
    ["a fix of something broken", "- Fix a regression where the option was removed\n- fix: restart no longer works on ARM", []],
    ["code", "```\n# BREAKING CHANGE: not a sentence\n```\nFine.", []],
  ];
  for (const [name, notes, expected] of cases) it(name, () => assert.deepEqual(breakingSentences(notes), expected));

  it("is bounded, whatever is given", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: "binary" }), (text) => {
        const found = breakingSentences(`## Breaking\n- ${text}`);
        return found.length <= 20 && found.every((sentence) => [...sentence].length <= 300 && !/\p{Cc}/u.test(sentence));
      }),
      { numRuns: 200 },
    );
    const many = breakingSentences(Array.from({ length: 100 }, (_, index) => `- BREAKING: ${index} ${"x".repeat(500)}`).join("\n"));
    assert.deepEqual([many.length, Math.max(...many.map(({ length }) => length))], [20, 300]);
  });

  it("takes its time with no text", () => {
    const started = performance.now();
    for (const piece of ["**", "[a](", "<a", "(#1", " no ", "removed ", "`", "x: "]) breakingSentences(piece.repeat(10_000));
    for (const piece of [" ", "#", "["]) breakingSentences(`# x${piece.repeat(60_000)}x`);
    assert.ok(performance.now() - started < 5_000);
  });
});
