import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HOUR_MS } from "../../../../../src/contract/time.ts";
import type { DailyUptime } from "../../../../../src/monitoring/containers/answers.ts";
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
  days?: DailyUptime["days"];
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
  days = [],
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
      days,
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
  test("days on which nobody looked are not observed", () =>
    assert.equal(
      drawn({
        days: [
          { date: "2026-01-11", uptime_percent: null, incidents: 0 },
          { date: "2026-01-10", uptime_percent: 100, incidents: 0 },
        ],
        hours: [0, 60],
      }),
      "Running 0-24, Not monitored 24-48, Running 48-60",
    ));
  test("days on which it was stopped or completed are observed, though nothing counts", () =>
    assert.equal(
      drawn({
        steps: [[-1, "completed"]],
        state: "exited",
        days: [{ date: "2026-01-10", uptime_percent: null, incidents: 0 }],
        hours: [0, 20],
      }),
      "Completed 0-20",
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
      days: [],
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
