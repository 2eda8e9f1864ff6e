import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tile } from "../../../entities/wall/tiles.ts";
import { lanesOf, worstOf } from "./lanes.ts";

test("a group is as bad at each moment as the worst of its things, and unknown only where none was seen", () => {
  assert.deepEqual(
    worstOf([
      [
        { state: "unknown", steps: 2 },
        { state: "up", steps: 2 },
      ],
      [
        { state: "unknown", steps: 1 },
        { state: "stopped", steps: 2 },
        { state: "down", steps: 1 },
      ],
    ]),
    [
      { state: "unknown", steps: 1 },
      { state: "stopped", steps: 1 },
      { state: "up", steps: 1 },
      { state: "down", steps: 1 },
    ],
  );
});

test("lanes follow the wall, and in them comes first what was down longest", () => {
  const tile = (id: number): Tile => ({ type: "container", id, name: `c${id}`, status: "ok", words: "Running" });
  const groups = [
    { key: "a", name: "a", leftOut: 0, tiles: [tile(1), tile(2)] },
    { key: "b", name: "b", leftOut: 0, tiles: [tile(3)] },
  ];
  const strips = [
    { type: "container" as const, id: 2, runs: [{ state: "down" as const, steps: 1 }] },
    { type: "container" as const, id: 1, runs: [{ state: "up" as const, steps: 1 }] },
  ];
  assert.deepEqual(
    lanesOf(groups, { strips }).map(({ name, runs, rows }) => [name, runs, rows.map((row) => row.tile.id)]),
    [["a", [{ state: "down", steps: 1 }], [2, 1]]],
  );
});
