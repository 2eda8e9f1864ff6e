import assert from "node:assert/strict";
import { test } from "node:test";
import { drawChart } from "./chart.ts";
import { judge, type Series } from "./judge.ts";
import type { Point } from "./trend.ts";

const panel = (series: Series): { series: Series; judgements: ReturnType<typeof judge> } => ({ series, judgements: judge(series) });

function life(fromMinute: number, value: (minute: number) => number): Point[] {
  return Array.from({ length: 60 }, (_, minute) => ({ atMs: (fromMinute + minute) * 60_000, value: value(minute) }));
}

test("each life is a separate line, later ones further right, and nothing leaves the page", () => {
  const page = drawChart("Soak", [
    panel({ name: "heap", unit: "MB", kind: "memory", lives: [life(0, () => 100), life(60, (at) => 50 + at)] }),
  ]);
  const lines = [...page.matchAll(/points="([^"]+)"/g)].map(([, points = ""]) =>
    points.split(" ").map((pair) => pair.split(",").map(Number)),
  );
  assert.equal(lines.length, 2);
  assert.ok((lines[0]?.at(-1)?.[0] ?? 0) < (lines[1]?.[0]?.[0] ?? 0));
  for (const [x = -1, y = -1] of lines.flat()) assert.ok(x >= 0 && x <= 860 && y >= 0 && y <= 150, `${x}, ${y}`);
});

test("a failure is written below its panel, and only there", () => {
  const page = drawChart("Soak", [
    panel({ name: "heap", unit: "MB", kind: "memory", lives: [life(0, (at) => 100 + at)] }),
    panel({ name: "files", unit: "", kind: "handles", lives: [life(0, () => 40)] }),
  ]);
  assert.deepEqual([...page.matchAll(/<p class="bad">(life 1: a line from [^<]*)</g)].length, 1);
});

test("a series without a measurement, and names with signs of HTML", () => {
  const page = drawChart("<Soak>", [panel({ name: "a & b", unit: "", kind: "handles", lives: [[]] })]);
  assert.ok(page.includes("&#60;Soak&#62;") && page.includes("a &#38; b"));
  assert.ok(!/NaN|Infinity|undefined/.test(page));
});
