import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LogLine } from "../../runtimes/runtime.ts";
import { createFirstLines, createLineFilter, type Found, type Order, type Wanted } from "./line.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const ALL: Wanted = { text: undefined, level: undefined, conditions: [], sinceMs: -Infinity, untilMs: Infinity, order: "newest" };
const line = (second: number | null, text: string, stream: LogLine["stream"] = "stdout"): LogLine => ({
  timestamp: second === null ? null : new Date(NOON + second * 1000),
  stream,
  text,
});

function textsOf(lines: readonly LogLine[], wanted: Partial<Wanted>): string[] {
  const filter = createLineFilter(1, { ...ALL, ...wanted });
  return lines.flatMap((each) => filter(each)?.line.text ?? []);
}

describe("the filter of lines", () => {
  const lines = [
    line(0, "INFO ready"),
    line(1, "WARN slow"),
    line(2, "ERROR broken"),
    line(2, "  at main.js:1", "stdout"),
    line(2, "  at other.js:9", "stderr"),
    line(3, "DEBUG detail"),
    line(4, "plain words"),
  ];

  it("finds a text in any case, and through colours", () => {
    assert.deepEqual(textsOf(lines, { text: "BROKEN" }), ["ERROR broken"]);
    assert.deepEqual(textsOf([line(0, "\u001b[31mfai\u001b[0mlure")], { text: "failure" }).length, 1);
    assert.deepEqual(textsOf(lines, { text: "nothing like it" }), []);
  });

  it("keeps what is at least so serious, with what continues it on its stream", () => {
    assert.deepEqual(textsOf(lines, { level: "error" }), ["ERROR broken", "  at main.js:1"]);
    assert.deepEqual(textsOf(lines, { level: "warn" }), ["WARN slow", "ERROR broken", "  at main.js:1"]);
    assert.deepEqual(
      textsOf(lines, { level: "info" }),
      lines.map(({ text }) => text).filter((text) => text !== "DEBUG detail"),
    );
  });

  it("keeps a time that begins with its first moment and ends before its last", () => {
    assert.deepEqual(textsOf(lines, { sinceMs: NOON + 1000, untilMs: NOON + 2000 }), ["WARN slow"]);
  });

  it("puts a line without a time beside the one before it", () => {
    const filter = createLineFilter(1, ALL);
    const places = [line(1, "a"), line(null, "b"), line(2, "c")].map((each) => filter(each));
    assert.deepEqual(
      places.map((place) => place && [place.atMs - NOON, place.ordinal]),
      [
        [1000, 0],
        [1000, 1],
        [2000, 0],
      ],
    );
  });
});

describe("the first lines", () => {
  const found = (containerId: number, atMs: number, ordinal = 0): Found => ({
    containerId,
    atMs,
    ordinal,
    line: line(0, "x"),
    level: null,
  });
  const all = [found(1, 1), found(1, 3), found(2, 2), found(2, 3), found(2, 3, 1), found(3, 0)];
  const described = (lines: readonly Found[]): string[] =>
    lines.map(({ atMs, containerId, ordinal }) => `${atMs} ${containerId} ${ordinal}`);
  const newest = ["3 2 1", "3 2 0", "3 1 0", "2 2 0", "1 1 0", "0 3 0"];

  function first(order: Order, most: number, behind?: Found): string[] {
    const lines = createFirstLines({ order, behind, most });
    for (const each of all) lines.add(each);
    return described(lines.read());
  }

  it("are merged, newest or oldest first, no more than asked for", () => {
    for (const most of [1, 2, 3, 6, 100]) {
      assert.deepEqual(first("newest", most), newest.slice(0, most));
      assert.deepEqual(first("oldest", most), newest.toReversed().slice(0, most));
    }
  });

  it("begin behind a place, where several have one time too", () => {
    assert.deepEqual(first("newest", 2, found(2, 3)), ["3 1 0", "2 2 0"]);
    assert.deepEqual(first("oldest", 2, found(2, 3)), ["3 2 1"]);
    assert.deepEqual(first("newest", 9, found(3, 0)), []);
  });

  it("are whole before a moment once there are enough of lines that stand before it", () => {
    for (const [order, before, at] of [
      ["newest", 1, 2],
      ["oldest", 4, 3],
    ] as const) {
      const lines = createFirstLines({ order, behind: undefined, most: 4 });
      for (const each of all.slice(0, 3)) lines.add(each);
      assert.equal(lines.areWholeBefore(before), false);
      for (const each of all.slice(3)) lines.add(each);
      assert.deepEqual([lines.areWholeBefore(before), lines.areWholeBefore(at)], [true, false]);
    }
  });
});
