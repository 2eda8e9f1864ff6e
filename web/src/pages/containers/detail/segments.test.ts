import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HOUR_MS } from "../../../../../src/contract/time.ts";
import { stateSegments, totalsOf } from "./segments.ts";
import { transitionsOf } from "./transitions.fixture.ts";

const START = new Date("2026-01-10T00:00:00.000Z");

interface Story {
  steps?: [number, string][];
  state?: "running" | "exited" | "paused";
  firstSeen?: number;
  archived?: number;
  isComplete?: boolean;
  skip?: number;
  /** Null while it lasts. */
  gaps?: [number, number | null][];
  hours?: [number, number];
}

/** Times in hours after the start. */
function drawn({
  steps = [],
  state = "running",
  firstSeen = -1000,
  archived,
  isComplete = true,
  skip = 0,
  gaps = [],
  hours = [0, 10],
}: Story): string {
  const at = (hour: number): string => new Date(START.getTime() + hour * HOUR_MS).toISOString();
  const transitions = transitionsOf(
    START,
    steps.map(([hour, spelled]) => [hour * 3600, spelled]),
  );
  const segments = stateSegments(
    {
      container: {
        state,
        health: null,
        stop_requested: false,
        first_seen_at: at(firstSeen),
        archived_at: archived === undefined ? null : at(archived),
      },
      transitions: transitions.slice(0, transitions.length - skip),
      isComplete,
      unobserved: gaps.map(([from, to]) => ({ from: at(from), to: to === null ? null : at(to) })),
    },
    START.getTime() + hours[0] * HOUR_MS,
    START.getTime() + hours[1] * HOUR_MS,
  );
  return segments
    .map(({ word, from, until }) => `${word} ${(from - START.getTime()) / HOUR_MS}-${(until - START.getTime()) / HOUR_MS}`)
    .join(", ");
}

describe("stateSegments", () => {
  test("without changes it is as it is", () => assert.equal(drawn({ state: "paused" }), "Paused 0-10"));
  test("each change begins a segment; what looks alike is one", () =>
    assert.equal(
      drawn({
        steps: [
          [-1, "running"],
          [2, "exited 1"],
          [3, "restarting"],
          [4, "running/unhealthy"],
          [5, "running/healthy"],
          [6, "running"],
        ],
      }),
      "Running 0-2, Down 2-4, Unhealthy 4-5, Running 5-10",
    ));
  test("before the first change stands what was before it", () =>
    assert.equal(
      drawn({
        steps: [
          [-5, "paused"],
          [4, "running"],
        ],
        skip: 1,
      }),
      "Paused 0-4, Running 4-10",
    ));
  test("nothing is known from before it was first seen", () =>
    assert.equal(drawn({ steps: [[3, "running"]], firstSeen: 3 }), "Not monitored 0-3, Running 3-10"));
  test("what is not loaded yet is not guessed", () =>
    assert.equal(
      drawn({
        steps: [
          [1, "running"],
          [4, "exited 1"],
        ],
        skip: 1,
        isComplete: false,
      }),
      "Not loaded yet 0-4, Down 4-10",
    ));
  test("a removed container is nothing any more", () => assert.equal(drawn({ archived: 6 }), "Running 0-6, Removed 6-10"));
  test("time in which nobody looked is no state, whatever it was before and after", () => {
    const gaps: Story["gaps"] = [
      [2, 3],
      [5, null],
    ];
    assert.equal(drawn({ gaps }), "Running 0-2, Not monitored 2-3, Running 3-5, Not monitored 5-10");
    assert.equal(
      drawn({ steps: [[-1, "completed"]], state: "exited", gaps }),
      "Completed 0-2, Not monitored 2-3, Completed 3-5, Not monitored 5-10",
    );
  });
  test("what changed while nobody looked is seen after it", () =>
    assert.equal(
      drawn({
        steps: [
          [-1, "running"],
          [4, "exited 1"],
        ],
        gaps: [[3, 6]],
      }),
      "Running 0-3, Not monitored 3-6, Down 6-10",
    ));
  test("changes after the end of the range do not count", () =>
    assert.equal(
      drawn({
        steps: [
          [-1, "running"],
          [12, "exited 1"],
        ],
        state: "exited",
      }),
      "Running 0-10",
    ));
});

test("totals add up to the range, longest first", () => {
  const segments = stateSegments(
    {
      container: { state: "running", health: null, stop_requested: false, first_seen_at: START.toISOString(), archived_at: null },
      transitions: transitionsOf(START, [
        [0, "running"],
        [60, "exited 1"],
        [70, "running"],
        [80, "exited 1"],
        [95, "running"],
      ]),
      isComplete: true,
      unobserved: [],
    },
    START.getTime(),
    START.getTime() + 100_000,
  );
  assert.deepEqual(
    totalsOf(segments).map(({ word, lengthMs }) => [word, lengthMs]),
    [
      ["Running", 75_000],
      ["Down", 25_000],
    ],
  );
});
