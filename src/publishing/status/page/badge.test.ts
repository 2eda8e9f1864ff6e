import assert from "node:assert/strict";
import { test } from "node:test";
import { renderBadge, renderIcon } from "./badge.ts";
import { TOKENS } from "./theme.ts";
import type { ShownStatus } from "./words.ts";

/** The page's own colours on a light ground. */
const TOKEN: Readonly<Record<ShownStatus, keyof typeof TOKENS>> = {
  operational: "ok",
  degraded: "degraded",
  partial_outage: "down",
  major_outage: "down",
  maintenance: "maintenance",
  unknown: "idle",
};

for (const [status, token] of Object.entries(TOKEN) as [ShownStatus, keyof typeof TOKENS][])
  test(`badge and icon have the page's colour of ${status}`, () => {
    const [light] = TOKENS[token];
    assert.deepEqual(fills(renderBadge("Shop", status)), ["#3d3b38", light, "#fff"]);
    assert.deepEqual(fills(renderIcon(status)), [light, "none"]);
  });

test("a label of forty characters is whole, a longer one is cut", () => {
  assert.ok(renderBadge("x".repeat(40), "operational").includes(`>${"x".repeat(40)}</text>`));
  assert.ok(renderBadge("x".repeat(41), "operational").includes(`>${"x".repeat(39)}…</text>`));
});

function fills(svg: string): string[] {
  return [...svg.matchAll(/ fill="([^"]*)"/g)].map(([, colour = ""]) => colour);
}
