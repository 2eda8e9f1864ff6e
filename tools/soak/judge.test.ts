import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../../src/contract/time.ts";
import { createChance } from "../../test/support/chance.ts";
import { judge, type Series } from "./judge.ts";
import { type Kind, WARM_UP_AT_REST_MS } from "./rules.ts";
import type { Point } from "./trend.ts";

interface Case {
  name: string;
  kind: Kind;
  minutes: number;
  /** At a minute of the life, without noise. */
  value: (minute: number) => number;
  /** Up and down by so much. */
  noise?: number;
  fails: boolean;
}

const CASES: readonly Case[] = [
  { name: "even memory", kind: "memory", minutes: 60, value: () => 100, noise: 5, fails: false },
  {
    name: "memory that doubles in twelve hours",
    kind: "memory",
    minutes: 60,
    value: (at) => 100 + (at * 100) / 720,
    noise: 1,
    fails: true,
  },
  { name: "memory that doubles in four days", kind: "memory", minutes: 60, value: (at) => 100 + (at * 100) / 5760, fails: false },
  { name: "memory that grows in the warm-up alone", kind: "memory", minutes: 24, value: (at) => 100 + 10 * Math.min(at, 8), fails: false },
  { name: "memory that grows by four fifths a day", kind: "memory", minutes: 360, value: (at) => 100 + (at * 20) / 360, fails: false },
  { name: "memory that is needed at the end alone", kind: "memory", minutes: 60, value: (at) => (at > 57 ? 300 : 100), fails: false },
  { name: "memory that swells and shrinks", kind: "memory", minutes: 60, value: (at) => 100 + 30 * Math.sin(at / 2), fails: false },
  { name: "a leak so large that five minutes show it", kind: "memory", minutes: 5, value: (at) => 100 + 40 * at, fails: true },
  { name: "a leak that two minutes show", kind: "memory", minutes: 2, value: (at) => 115 + 57 * at, fails: true },
  { name: "caches that fill up in five minutes", kind: "memory", minutes: 5, value: (at) => 100 + 5 * at, fails: false },
  { name: "memory that shrinks", kind: "memory", minutes: 60, value: (at) => 200 - at, fails: false },
  { name: "a handle a minute", kind: "handles", minutes: 30, value: (at) => 40 + Math.floor(at), fails: true },
  { name: "two handles more from a time on", kind: "handles", minutes: 30, value: (at) => (at > 20 ? 42 : 40), fails: false },
  { name: "handles that come and go", kind: "handles", minutes: 30, value: () => 40, noise: 6, fails: false },
  { name: "data at an even pace", kind: "size", minutes: 30, value: (at) => 10 + 2 * at, noise: 1, fails: false },
  { name: "data faster and faster", kind: "size", minutes: 30, value: (at) => 10 + at ** 2 / 10, fails: true },
  { name: "data that is purged", kind: "size", minutes: 30, value: (at) => 10 + 2 * Math.min(at, 20), fails: false },
  { name: "answers slower and slower", kind: "latency", minutes: 60, value: (at) => 5 + at, noise: 3, fails: true },
  { name: "answers slower for some minutes, on a busy machine", kind: "latency", minutes: 10, value: (at) => 5 + 4 * at, fails: false },
  { name: "high percentiles", kind: "drawn only", minutes: 60, value: (at) => 5 + 10 * at, fails: false },
  { name: "answers slower by a little", kind: "latency", minutes: 60, value: (at) => 5 + at / 10, fails: false },
];

for (const { name, kind, minutes, value, noise = 0, fails } of CASES)
  test(name, () => {
    const { below } = createChance(1);
    const life = every(10_000, minutes, (at) => value(at) + (noise * (below(201) - 100)) / 100);
    assert.deepEqual(failing({ name, kind, unit: "MB", lives: [life] }), fails ? ["life 1"] : []);
  });

test("caches that fill for forty minutes, in a process at rest and in one under load", () => {
  const lives = [every(10_000, 100, (at) => 55 + 20 * Math.min(at / 40, 1))];
  const memory = { name: "memory", kind: "memory", unit: "MB", lives } as const satisfies Series;
  assert.deepEqual([failing(memory), failing({ ...memory, warmUpMs: WARM_UP_AT_REST_MS })], [["life 1"], []]);
});

test("a leak from life to life, each of them even", () => {
  const lives = [0, 1, 2, 3, 4].map((life) => every(10_000, 60, () => 100 + 30 * life, life * 60));
  assert.deepEqual(failing({ name: "memory", kind: "memory", unit: "MB", lives }), ["from life to life"]);
});

test("lives that end on the same level", () => {
  const lives = [0, 1, 2, 3, 4].map((life) => every(10_000, 60, (at) => 100 + Math.min(at, 9), life * 60));
  assert.deepEqual(failing({ name: "memory", kind: "memory", unit: "MB", lives }), []);
});

test("answers are not compared from life to life", () => {
  const lives = [0, 1, 2, 3, 4].map((life) => every(10_000, 60, () => 5 + 30 * life, life * 60));
  assert.deepEqual(failing({ name: "health", kind: "latency", unit: "ms", lives }), []);
});

test("too few points are not judged", () => {
  assert.deepEqual(judge({ name: "memory", kind: "memory", unit: "MB", lives: [every(10_000, 0.5, (at) => 100 * at)] }), []);
});

function failing(series: Series): string[] {
  return judge(series).flatMap(({ over, failure }) => (failure === undefined ? [] : [over]));
}

function every(stepMs: number, minutes: number, value: (minute: number) => number, fromMinute = 0): Point[] {
  return Array.from({ length: Math.floor((minutes * MINUTE_MS) / stepMs) }, (_, index) => ({
    atMs: fromMinute * MINUTE_MS + index * stepMs,
    value: value((index * stepMs) / MINUTE_MS),
  }));
}
