import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accentWords, contrast, isAccent } from "./contrast.ts";

test("contrast is as WCAG has it", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.01);
});

test("an accent is reported where it cannot be read", () => {
  assert.match(accentWords("#ffe066"), /Too faint in light \(1\.\d to 1\), so a darker/);
  assert.match(accentWords("#101828"), /Too faint in dark \(1\.\d to 1\), so a lighter/);
  assert.match(accentWords("#777799"), /^Too faint in light and dark/);
  assert.equal(accentWords("#2257c5").startsWith("Good contrast in light. Too faint in dark"), true);
  assert.match(accentWords("blue"), /such as/);
  assert.equal(isAccent("#2257C5"), true);
  assert.equal(isAccent("#2257c"), false);
});

test("the grounds are those of the themes", () => {
  const css = readFileSync(new URL("../../theme.css", import.meta.url), "utf8");
  assert.match(css, /--sunken: light-dark\(#f3f3ef,/);
  assert.match(css, /--surface: light-dark\(#\w{6}, #14181c\)/);
});
