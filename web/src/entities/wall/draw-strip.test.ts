import assert from "node:assert/strict";
import { test } from "node:test";
import { drawStrip, drawStrips } from "./draw-strip.ts";

const NOON = new Date(2026, 2, 1, 12).getTime();
const scale = { fromMs: NOON - 24 * 3_600_000, stepMs: 900_000, nowMs: NOON };

test("worse is higher, an outage of a quarter of an hour is wide enough to be seen, and nothing is drawn where nothing was seen", () => {
  const drawn = drawStrip(
    [
      { state: "unknown", steps: 48 },
      { state: "up", steps: 46 },
      { state: "degraded", steps: 1 },
      { state: "down", steps: 1 },
    ],
    scale,
  );
  assert.deepEqual(drawn, {
    up: "M48 9h46V12h-46z",
    degraded: "M93.5 5h2.5V12h-2.5z",
    down: "M93.5 0h2.5V12h-2.5z",
    stopped: "",
    words: "Last 24 h: down at 11:45, degraded at 11:30, no data for 12 h",
  });
});

test("words count many outages, and say when there was none", () => {
  const words = (...runs: Parameters<typeof drawStrip>[0]): string => drawStrip(runs, scale).words;
  const flapping = Array.from({ length: 48 }, (_, index) => ({ state: index % 2 === 0 ? ("up" as const) : ("down" as const), steps: 2 }));
  assert.equal(words(...flapping), "Last 24 h: down 24 times, last at 11:30");
  assert.equal(words({ state: "up", steps: 96 }), "Last 24 h: no outage");
  assert.equal(words({ state: "stopped", steps: 96 }), "Last 24 h: not running");
  assert.equal(words({ state: "unknown", steps: 96 }), "Last 24 h: no data");
});

test("a part of a day has as many steps as were asked for", () => {
  const runs = [
    { state: "up" as const, steps: 3 },
    { state: "down" as const, steps: 1 },
  ];
  const drawn = drawStrip(runs, { ...scale, period: "In this time" });
  assert.deepEqual([drawn.up, drawn.down], ["M0 9h3V12h-3z", "M1.5 0h2.5V12h-2.5z"]);
  assert.match(drawn.words, /^In this time: down at /);
});

test("strips are found by what they are of", () => {
  const runs = [{ state: "up" as const, steps: 96 }];
  const list = { from: new Date(scale.fromMs).toISOString(), to: new Date(NOON).toISOString(), step_seconds: 900, left_out: 0 };
  const drawn = drawStrips({ ...list, strips: [{ type: "container", id: 7, runs }] }, NOON);
  assert.deepEqual([...drawn.keys()], ["container 7"]);
});
