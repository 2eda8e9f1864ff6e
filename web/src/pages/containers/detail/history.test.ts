import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { describeChanges } from "./change.ts";
import { collapseRestarts, groupByDay } from "./history.ts";
import { transitionsOf } from "./transitions.fixture.ts";

const START = new Date(2026, 0, 15, 12);

function described(steps: readonly [number, string][]): string[] {
  return collapseRestarts(describeChanges(transitionsOf(START, steps))).map((entry) =>
    "changes" in entry ? `${entry.status} ${entry.what}, ${entry.causes} (${entry.changes.length})` : entry.what,
  );
}

/** `count` cycles of an end and a restart, `every` seconds. */
function cycles(count: number, every: number, end: (index: number) => string, from = 0): [number, string][] {
  return Array.from({ length: count }, (_, index): [number, string][] => [
    [from + index * every, end(index)],
    [from + index * every + 2, "running"],
  ]).flat();
}

describe("collapseRestarts", () => {
  test("many ends with the same cause are one entry", () => {
    const steps: [number, string][] = [[-100, "running"], ...cycles(14, 37, () => "restarting 137 oom")];
    assert.deepEqual(described(steps), [
      "degraded Restarted 14 times in 8 min, each time OOM killed (exit 137) (28)",
      "First seen: running",
    ]);
  });

  test("different causes are counted, the most frequent first", () => {
    const steps: [number, string][] = [[-100, "running"], ...cycles(4, 60, (index) => (index === 0 ? "exited 1" : "exited 137 oom"))];
    assert.deepEqual(described(steps)[0], "degraded Restarted 4 times in 3 min, 3× OOM killed (exit 137), 1× exited with code 1 (8)");
  });

  test("one that stayed down has ended, not restarted", () => {
    const steps: [number, string][] = [[-100, "running"], ...cycles(3, 60, () => "exited 1").slice(0, -1)];
    assert.deepEqual(described(steps)[0], "down Exited 3 times in 2 min, each time exited with code 1 (5)");
  });

  test("two ends are separate entries", () => {
    assert.equal(described([[-100, "running"], ...cycles(2, 60, () => "exited 1")]).length, 5);
  });

  test("ends far apart, or asked for, are separate entries", () => {
    assert.equal(described([[-100, "running"], ...cycles(4, 1_000, () => "exited 1")]).length, 9);
    assert.equal(described([[-100, "running"], ...cycles(4, 60, () => "exited 143 asked")]).length, 9);
  });

  test("health that comes and goes with the restarts belongs to them", () => {
    const steps: [number, string][] = [[-100, "running"]];
    for (let index = 0; index < 3; index += 1) {
      steps.push([index * 60, "restarting 1"], [index * 60 + 1, "running/starting"], [index * 60 + 30, "running/healthy"]);
    }
    assert.deepEqual(described(steps)[0], "degraded Restarted 3 times in 2 min, each time exited with code 1 (9)");
  });

  test("what happens between two runs parts them, and the order stays", () => {
    const steps: [number, string][] = [
      [-100, "running"],
      ...cycles(3, 60, () => "exited 1"),
      [400, "paused"],
      [410, "running"],
      ...cycles(3, 60, () => "exited 2", 500),
    ];
    assert.deepEqual(described(steps), [
      "degraded Restarted 3 times in 2 min, each time exited with code 2 (6)",
      "Resumed",
      "Paused",
      "degraded Restarted 3 times in 2 min, each time exited with code 1 (6)",
      "First seen: running",
    ]);
  });

  test("no change is lost", () => {
    const changes = describeChanges(transitionsOf(START, [[-100, "running"], ...cycles(5, 60, () => "exited 1"), [900, "paused"]]));
    const flat = collapseRestarts(changes).flatMap((entry) => ("changes" in entry ? entry.changes : [entry]));
    assert.deepEqual(flat, changes);
  });

  test("nothing is nothing", () => assert.deepEqual(collapseRestarts([]), []));
});

test("entries stand under their local days, newest first", () => {
  const changes = describeChanges(
    transitionsOf(START, [
      [0, "running"],
      [86_400, "paused"],
      [86_401, "running"],
      [2 * 86_400, "paused"],
    ]),
  );
  const now = new Date(2026, 0, 17, 13).getTime();
  assert.deepEqual(
    groupByDay(changes, now).map(({ title, entries }) => [title, entries.length]),
    [
      ["Today", 1],
      ["Yesterday", 2],
      ["Thu 15 Jan", 1],
    ],
  );
});
