import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { ACCENT_GROUNDS, themeCss, TOKENS, contrast, READABLE, readableAccent } from "./theme.ts";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("any accent becomes one that can be read, in both themes, and so can what is written on it", () => {
  fc.assert(
    fc.property(colour, (accent) => {
      for (const grounds of ACCENT_GROUNDS) {
        const { colour: shown, on } = readableAccent(accent, grounds);
        for (const ground of grounds) assert.ok(contrast(shown, ground) >= READABLE, `${accent} as ${shown} on ${ground}`);
        assert.ok(contrast(shown, on) >= READABLE, `${on} on ${shown}`);
      }
    }),
    { numRuns: 500, examples: [["#ffffff"], ["#000000"], ["#ffff00"], ["#767676"]] },
  );
});

test("an accent that can be read is left as it was chosen", () => {
  assert.equal(readableAccent("#2257c5", ACCENT_GROUNDS[0] ?? []).colour, "#2257c5");
});

test("the tokens are those of the app", () => {
  const css = readFileSync(new URL("../../../../web/src/theme.css", import.meta.url), "utf8");
  const ofApp = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map((match) => [match[1], [match[2], match[3]]]),
  );
  for (const [name, colours] of Object.entries(TOKENS)) assert.deepEqual([...colours], ofApp.get(name), name);
});

test("dark is for screens alone: print is light", () => {
  assert.match(themeCss("#2257c5"), /^:root\{color-scheme:light;.*@media screen and \(prefers-color-scheme:dark\)/);
});
