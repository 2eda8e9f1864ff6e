import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import { shareRows } from "./share-rows.ts";

const EARLY = "2026-11-21T04:00:00.000Z";
const LATE = "2026-11-21T04:00:10.000Z";

function using(cpu_percent: number, timestamp: string): ContainerRecord["resources"] {
  return { cpu_percent, memory_bytes: 1_000_000, memory_percent: 1, timestamp };
}

function listOf(...containers: ContainerRecord[]): ContainerList {
  return { groups: [{ name: "shop", source: "compose", containers }], total: containers.length, archived_count: 0, next_cursor: null };
}

const rowsOf = (list: ContainerList): ContainerRecord[] => list.groups.flatMap(({ containers }) => containers);

test("a list that reads as the known one is the known one", () => {
  const known = listOf(containerRecord({ resources: using(38.2, EARLY) }));
  assert.equal(shareRows(known, structuredClone(known)), known);
  assert.equal(shareRows(known, listOf(containerRecord({ resources: using(38.3, LATE) }))), known);
  assert.equal(shareRows(undefined, known), known);
});

test("rows stay the same objects where others come before them", () => {
  const known = listOf(containerRecord({ id: 2 }), containerRecord({ id: 3 }));
  const shared = rowsOf(
    shareRows(known, listOf(containerRecord({ id: 1 }), containerRecord({ id: 2 }), containerRecord({ id: 3, name: "new" }))),
  );
  assert.deepEqual(
    shared.map(({ id, name }) => [id, name]),
    [
      [1, "web"],
      [2, "web"],
      [3, "new"],
    ],
  );
  assert.equal(shared[1], rowsOf(known)[0]);
  assert.notEqual(shared[2], rowsOf(known)[1]);
});

test("the newer figures win, and nothing beats the news that there are none", () => {
  const known = listOf(containerRecord({ resources: using(50, LATE) }));
  assert.equal(rowsOf(shareRows(known, listOf(containerRecord({ resources: using(10, EARLY) }))))[0]?.resources?.cpu_percent, 50);
  assert.equal(rowsOf(shareRows(known, listOf(containerRecord({ resources: using(70, LATE) }))))[0]?.resources?.cpu_percent, 70);
  assert.equal(rowsOf(shareRows(known, listOf(containerRecord({ resources: null }))))[0]?.resources, null);
});
