import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LogLine } from "../../runtimes/runtime.ts";
import { comparePlaces, createLineFilter, newestOf, type Wanted } from "./line.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const ALL: Wanted = { text: undefined, level: undefined, sinceMs: -Infinity, untilMs: Infinity, behind: undefined };
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

  it("goes on behind a place, where several lines have one time too", () => {
    const same = ["a", "b", "c"].map((text) => line(5, text));
    assert.deepEqual(textsOf(same, { behind: { atMs: NOON + 5000, containerId: 1, ordinal: 1 } }), ["a"]);
    assert.deepEqual(textsOf(same, { behind: { atMs: NOON + 5000, containerId: 2, ordinal: 0 } }), ["a", "b", "c"]);
    assert.deepEqual(textsOf(same, { behind: { atMs: NOON + 4000, containerId: 1, ordinal: 0 } }), []);
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

describe("found lines", () => {
  it("are merged newest first, and no more than asked for", () => {
    const found = (containerId: number, second: number) => createLineFilter(containerId, ALL)(line(second, "x"));
    const one = [1, 3].flatMap((second) => found(1, second) ?? []);
    const other = [2, 3].flatMap((second) => found(2, second) ?? []);
    const newest = newestOf(one, other, 3);
    assert.deepEqual(
      newest.map(({ containerId, atMs }) => [containerId, (atMs - NOON) / 1000]),
      [
        [2, 3],
        [1, 3],
        [2, 2],
      ],
    );
    assert.deepEqual(newest, newest.toSorted(comparePlaces));
  });
});
