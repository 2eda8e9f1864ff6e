import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accentWords, contrast, isAccent } from "./contrast.ts";

test("contrast is as WCAG has it", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.01);
});

test("an accent is told where it cannot be read", () => {
  assert.match(accentWords("#ffe066"), /on the light one it is too faint \(1\.\d to 1\), and a darker/);
  assert.match(accentWords("#101828"), /on the dark one, where it would be 1\.\d to 1, a lighter/);
  assert.match(accentWords("#777799"), /^Too faint on both pages/);
  assert.equal(accentWords("#2257c5").startsWith("Reads well on the light page; on the dark one"), true);
  assert.match(accentWords("blue"), /such as/);
  assert.equal(isAccent("#2257C5"), true);
  assert.equal(isAccent("#2257c"), false);
});

test("the grounds are those of the themes", () => {
  const css = readFileSync(new URL("../../theme.css", import.meta.url), "utf8");
  assert.match(css, /--sunken: light-dark\(#f3f3ef,/);
  assert.match(css, /--surface: light-dark\(#\w{6}, #14181c\)/);
});
