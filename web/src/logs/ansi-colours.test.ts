import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { parseAnsi } from "./ansi.ts";
import { coloursOf, contrast, GROUNDS, readable } from "./ansi-colours.ts";

function tokensOf(file: string): Map<string, [string, string]> {
  const css = readFileSync(new URL(file, import.meta.url), "utf8");
  return new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = "", light = "", dark = ""]) => [name, [light, dark]]),
  );
}

test("the grounds are those of the theme", () => {
  assert.deepEqual(tokensOf("../theme.css").get("sunken"), [GROUNDS.light, GROUNDS.dark]);
});

test("each of the sixteen colours is readable in both themes, and so is what was found", () => {
  const tokens = tokensOf("./ansi.css");
  for (let index = 0; index < 16; index += 1) {
    const [light, dark] = tokens.get(`ansi-${index}`) ?? ["", ""];
    assert.ok(contrast(light, GROUNDS.light) >= 4.5, `${index} light ${light} ${contrast(light, GROUNDS.light)}`);
    assert.ok(contrast(dark, GROUNDS.dark) >= 4.5, `${index} dark ${dark} ${contrast(dark, GROUNDS.dark)}`);
  }
  const found = tokens.get("found") ?? ["", ""];
  const ink = tokens.get("found-ink") ?? ["", ""];
  for (const theme of [0, 1] as const) assert.ok(contrast(found[theme], ink[theme]) >= 4.5);
});

describe("readable", () => {
  test("leaves alone what is readable", () => assert.equal(readable("#c80000", GROUNDS.light, 0), "#c80000"));
  test("makes any colour readable on both grounds", () => {
    const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
    fc.assert(
      fc.property(hex, (colour) => {
        assert.ok(contrast(readable(colour, GROUNDS.light, 0), GROUNDS.light) >= 4.5);
        assert.ok(contrast(readable(colour, GROUNDS.dark, 255), GROUNDS.dark) >= 4.5);
      }),
    );
  });
});

describe("coloursOf", () => {
  const cases: [string, object][] = [
    ["31", { color: "var(--ansi-1)" }],
    ["41", { color: "var(--sunken)", backgroundColor: "var(--ansi-1)" }],
    ["37;41", { color: "var(--sunken)", backgroundColor: "var(--ansi-1)" }],
    ["7", { color: "var(--sunken)", backgroundColor: "var(--ink)" }],
    ["7;32", { color: "var(--sunken)", backgroundColor: "var(--ansi-2)" }],
    ["7;42", { color: "var(--ansi-2)" }],
    ["1", {}],
    ["38;2;200;0;0", { color: "light-dark(#c80000, #dc5b5b)" }],
  ];
  for (const [codes, expected] of cases) {
    test(codes, () => {
      const [span] = parseAnsi(`\u001b[${codes}mx`);
      assert.ok(span?.style);
      const colours = coloursOf(span.style);
      if (codes.startsWith("38")) assert.match(colours.color ?? "", /^light-dark\(#c80000, #\w{6}\)$/);
      else assert.deepEqual(colours, expected);
    });
  }
});
