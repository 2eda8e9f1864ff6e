import assert from "node:assert/strict";
import { test } from "node:test";
import { dropPlace, type DrawnSection } from "./drop-place.ts";

const rows = (top: number, ...ids: number[]) => ids.map((id, index) => ({ id, top: top + index * 40, bottom: top + index * 40 + 40 }));
const SECTIONS: DrawnSection[] = [
  { groupId: null, top: 0, bottom: 40, rowsTop: 0, rows: rows(0, 1) },
  { groupId: 10, top: 60, bottom: 180, rowsTop: 100, rows: rows(100, 2, 3) },
  { groupId: 20, top: 200, bottom: 260, rowsTop: 240, rows: [] },
];
const at = (id: number, y: number) => dropPlace(SECTIONS, { kind: "component", id }, y);

test("a component goes before the row whose middle is below it", () => {
  assert.deepEqual(at(1, 115), { place: { groupId: 10, index: 0 }, lineY: 100 });
  assert.deepEqual(at(1, 125), { place: { groupId: 10, index: 1 }, lineY: 140 });
  assert.deepEqual(at(1, 195), { place: { groupId: 10, index: 2 }, lineY: 180 });
});

test("its own row does not count", () => {
  assert.deepEqual(at(2, 130), { place: { groupId: 10, index: 0 }, lineY: 140 });
  assert.deepEqual(at(3, 175), { place: { groupId: 10, index: 1 }, lineY: 140 });
});

test("a group without rows takes one, and above all is the first section", () => {
  assert.deepEqual(at(2, 500), { place: { groupId: 20, index: 0 }, lineY: 240 });
  assert.deepEqual(at(2, -50), { place: { groupId: null, index: 0 }, lineY: 0 });
  assert.equal(dropPlace([], { kind: "component", id: 2 }, 5), undefined);
});

test("a group goes between groups, never before those without one", () => {
  const group = (id: number, y: number) => dropPlace(SECTIONS, { kind: "group", id }, y);
  assert.deepEqual(group(20, -50), { place: { groupId: 20, index: 0 }, lineY: 60 });
  assert.deepEqual(group(20, 150), { place: { groupId: 20, index: 1 }, lineY: 180 });
  assert.deepEqual(group(10, 245), { place: { groupId: 10, index: 1 }, lineY: 260 });
  assert.equal(dropPlace(SECTIONS.slice(0, 2), { kind: "group", id: 10 }, 5), undefined);
});
