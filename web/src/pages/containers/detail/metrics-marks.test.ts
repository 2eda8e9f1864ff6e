import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf, spansOf } from "./metrics-marks.ts";
import { transitionsOf } from "./transitions.fixture.ts";

const START = new Date("2026-11-21T04:00:00.000Z");

function marks(steps: readonly [number, string][]): [number, string, string][] {
  return marksOf(transitionsOf(START, steps), { mergeMs: 30_000 }).map(({ at, status, words }) => [
    (at - START.getTime()) / 1000,
    status,
    words,
  ]);
}

test("ends and starts are marked, each with its shape and words", () => {
  const steps: [number, string][] = [
    [0, "running"],
    [100, "exited 137 oom"],
    [200, "running"],
    [300, "exited 143 asked"],
    [400, "running"],
    [500, "paused"],
  ];
  assert.deepEqual(marks(steps), [
    [100, "down", "OOM killed (exit 137)"],
    [200, "ok", "Started again"],
    [300, "idle", "Stopped by request (exit 143)"],
    [400, "ok", "Started again"],
    [500, "idle", "Paused"],
  ]);
});

test("what is first seen, and health, are no marks", () => {
  assert.deepEqual(
    marks([
      [0, "running/starting"],
      [10, "running/healthy"],
      [60, "running/unhealthy"],
    ]),
    [],
  );
});

test("a restart is one mark, and so are many in a row", () => {
  const restart: [number, string][] = [
    [0, "running"],
    [100, "restarting 1"],
    [102, "running"],
  ];
  assert.deepEqual(marks(restart), [[100, "down", "Exited with code 1, then restarted by policy"]]);
  const loop: [number, string][] = [...restart, [110, "restarting 1"], [112, "running"], [140, "exited 2"]];
  assert.deepEqual(marks(loop), [[100, "down", "Exited 3 times, last exited with code 2"]]);
});

test("a container that took the place of another is a separate mark", () => {
  const steps: [number, string][] = [
    [0, "running"],
    [100, "exited 143 asked"],
    [200, "running"],
  ];
  const part = { agent_id: null, external_id: "", image_digest: null, created_at: null, started_at: null };
  const generations = [
    { ...part, number: 2, image: "web:2", ended_at: null, end_reason: null },
    { ...part, number: 1, image: "web:1", ended_at: new Date(START.getTime() + 100_000).toISOString(), end_reason: "stopped" as const },
  ];
  assert.deepEqual(
    marksOf(transitionsOf(START, steps), { mergeMs: 30_000, generations }).map(({ words }) => words),
    ["Stopped by request (exit 143)", "Re-created with web:2"],
  );
});

test("a container that ran on elsewhere is marked too", () => {
  const part = { external_id: "", image: "web:1", image_digest: null, created_at: null, started_at: null };
  const generations = [
    { ...part, number: 2, agent_id: "b", ended_at: null, end_reason: null },
    { ...part, number: 1, agent_id: "a", ended_at: new Date(START.getTime() + 100_000).toISOString(), end_reason: "removed" as const },
  ];
  const steps: [number, string][] = [
    [0, "running"],
    [100, "running"],
  ];
  assert.deepEqual(
    marksOf(transitionsOf(START, steps), { mergeMs: 30_000, generations }).map(({ words }) => words),
    ["Moved to another host"],
  );
});

test("breaches become spans of their figure", () => {
  const breach = { threshold: 90, peak: 97.24, fired_at: "2026-11-21T04:00:00.000Z", resolved_at: null };
  const breaches = [
    { ...breach, metric: "cpu" as const },
    { ...breach, metric: "memory" as const, resolved_at: "2026-11-21T04:01:00.000Z" },
  ];
  assert.deepEqual(spansOf(breaches, "cpu"), [{ from: START.getTime(), until: null, words: "Above 90 %, peak 97 %" }]);
  assert.equal(spansOf(breaches, "memory")[0]?.until, START.getTime() + 60_000);
});
