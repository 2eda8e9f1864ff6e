import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { parseAnsi, plainText, type TextStyle } from "./ansi.ts";

const ESC = "\u001b";

/** The style of the first span, only what differs from plain. */
function styleOf(codes: string): Partial<TextStyle> {
  const [span] = parseAnsi(`${ESC}[${codes}mx`);
  return Object.fromEntries(Object.entries(span?.style ?? {}).filter(([, value]) => value !== null && value !== false));
}

describe("parseAnsi", () => {
  const styles: [string, Partial<TextStyle>][] = [
    ["", {}],
    ["0", {}],
    ["1", { bold: true }],
    ["2;3;4", { dim: true, italic: true, underline: true }],
    ["7;9", { inverse: true, strike: true }],
    ["31", { foreground: 1 }],
    ["91;103", { foreground: 9, background: 11 }],
    ["38;5;9", { foreground: 9 }],
    ["38;5;196", { foreground: "#ff0000" }],
    ["38;5;232;1", { foreground: "#080808", bold: true }],
    ["48;5;255", { background: "#eeeeee" }],
    ["38;2;1;2;3;4", { foreground: "#010203", underline: true }],
    ["38:2::1:2:3", { foreground: "#010203" }],
    ["38:2:1:2:3", { foreground: "#010203" }],
    ["48:5:16", { background: "#000000" }],
    ["4:3", { underline: true }],
    ["4;4:0", {}],
    ["1;31;22;39", {}],
    ["38;5;300", {}],
    ["38;2;1;2", {}],
    ["38", {}],
    ["999", {}],
    [";1", { bold: true }],
  ];
  for (const [codes, expected] of styles) {
    test(`select graphic rendition "${codes}"`, () => assert.deepEqual(styleOf(codes), expected));
  }

  test("splits a line where the style changes, and joins what looks alike", () => {
    const spans = parseAnsi(`a${ESC}[31mb${ESC}[31mc${ESC}[0md${ESC}[md`);
    assert.deepEqual(
      spans.map((span) => [span.text, span.style?.foreground ?? null]),
      [
        ["a", null],
        ["bc", 1],
        ["dd", null],
      ],
    );
  });

  const texts: [string, string, string][] = [
    ["cursor movement is dropped", `a${ESC}[2Kb${ESC}[1;1Hc`, "abc"],
    ["private modes are dropped", `${ESC}[?25lx`, "x"],
    ["a title is dropped", `${ESC}]0;title\u0007x`, "x"],
    ["a link keeps its text", `${ESC}]8;;http://a${ESC}\\text${ESC}]8;;${ESC}\\`, "text"],
    ["character sets are dropped", `${ESC}(Bx${ESC}=y`, "xy"],
    ["an unfinished title hides nothing", `${ESC}]0;all of this stays`, "0;all of this stays"],
    ["a title that another sequence cuts off hides nothing", `${ESC}]0;stays ${ESC}[31mred`, "0;stays red"],
    ["an unfinished sequence at the end", `x${ESC}[31`, "x"],
    ["a lone escape at the end", `x${ESC}`, "x"],
    ["control characters are shown", "a\u0000b\u0008c\u007f", "a␀b␈c␡"],
    ["a carriage return inside is shown, at the end it is not", "10%\r20%\r", "10%␍20%"],
    ["tabs stay", "a\tb", "a\tb"],
    ["direction overrides are named", "a\u202eb\u200b", "a<U+202E>b<U+200B>"],
    ["right-to-left text itself stays", "שלום ab", "שלום ab"],
    ["markup is text", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["eight-bit introducers are shown", "\u009b31mx", "<U+009B>31mx"],
  ];
  for (const [name, line, expected] of texts) test(name, () => assert.equal(plainText(line), expected));

  test("the spans of a hostile line are bounded, and none of its text is lost", () => {
    const line = Array.from({ length: 10_000 }, (_, index) => `${ESC}[${31 + (index % 2)}mx`).join("");
    const spans = parseAnsi(line);
    assert.ok(spans.length <= 512, String(spans.length));
    assert.equal(
      spans.reduce((sum, span) => sum + span.text.length, 0),
      10_000,
    );
  });

  test("takes linear time on unfinished sequences", () => {
    const timeOf = (line: string): number => {
      const start = performance.now();
      parseAnsi(line);
      return performance.now() - start;
    };
    assert.ok(timeOf(`${"\r".repeat(200_000)}x`) < 1000);
    for (const piece of [`${ESC}]`, `${ESC}[`, `${ESC}P0`, `${ESC}[;;;;`, ESC, "\r", `\r${ESC}`]) {
      assert.ok(timeOf(piece.repeat(200_000)) < 1000, JSON.stringify(piece));
    }
  });

  test("whatever comes in, only harmless characters come out", () => {
    const piece = fc.oneof(fc.constantFrom(ESC, "[", "]", "m", ";", "38", "\u0007", "\r", "\u202e", "0"), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        // oxlint-disable-next-line no-control-regex -- exactly these must not be there
        assert.doesNotMatch(plainText(pieces.join("")), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
