import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("./theme.css", import.meta.url), "utf8");
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map((match) => [
    match[1] ?? "",
    { light: match[2] ?? "", dark: match[3] ?? "" },
  ]),
);

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function colour(name: string, theme: "light" | "dark"): string {
  const token = tokens.get(name);
  assert.ok(token, `no token --${name}`);
  return token[theme];
}

const GROUNDS = ["bg", "surface", "sunken", "hover"];
const TEXTS = ["ink", "ink-2", "ink-3", "accent", "ok", "degraded", "down", "idle", "maintenance"];
const PAIRS: [string, string][] = [
  ...GROUNDS.flatMap((ground) => TEXTS.map((text): [string, string] => [text, ground])),
  ["ink", "accent-soft"],
  ["ink-2", "accent-soft"],
  ["ink-3", "accent-soft"],
  ["on-accent", "accent"],
  ["ok", "ok-soft"],
  ["degraded", "degraded-soft"],
  ["down", "down-soft"],
  ["maintenance", "maintenance-soft"],
  ["ink", "down-soft"],
  ["ink", "degraded-soft"],
  ["ink-2", "down-soft"],
  ["ink-2", "degraded-soft"],
];

for (const theme of ["light", "dark"] as const) {
  test(`text is readable (AA, 4.5 to 1) in the ${theme} theme`, () => {
    const poor = PAIRS.map(([text, ground]) => ({ text, ground, ratio: contrast(colour(text, theme), colour(ground, theme)) })).filter(
      ({ ratio }) => ratio < 4.5,
    );
    assert.deepEqual(poor, []);
  });
}
