import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRecord } from "../../../../../src/alerting/escalation/answers.ts";
import { draftOf, NEW_POLICY, probeOf, readDraft, withChangedFilters, withLevel } from "./draft.ts";
import { overlapWords } from "./overlap-words.ts";

const NIGHTS: PolicyRecord = {
  id: 4,
  name: "Nights",
  active: true,
  filters: { severities: ["critical"], tags: ["night"] },
  levels: [
    { delay_seconds: 0, channel_ids: [1] },
    { delay_seconds: 5400, channel_ids: [2, 3] },
  ],
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

test("what is saved comes back from the form as it was", () => {
  const { id: _, created_at: _made, updated_at: _changed, ...body } = NIGHTS;
  assert.deepEqual(readDraft(draftOf(NIGHTS)), { body });
});

test("delays rise, and every level notifies somebody", () => {
  const read = readDraft({
    ...NEW_POLICY,
    levels: [
      { key: 0, delay: "10 min", channels: ["1"] },
      { key: 1, delay: "10 min", channels: [] },
      { key: 2, delay: "soon", channels: ["1"] },
      { key: 3, delay: "2 d", channels: ["1"] },
    ],
  });
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), [
    "name",
    "levels.1.delay_seconds",
    "levels.1.channel_ids",
    "levels.2.delay_seconds",
    "levels.3.delay_seconds",
  ]);
});

test("a level more comes later than the last", () => {
  assert.deepEqual(withLevel([]), [{ key: 0, delay: "5 min", channels: [] }]);
  assert.deepEqual(withLevel(NEW_POLICY.levels).at(-1), { key: 2, delay: "30 min", channels: [] });
});

test("overlaps are asked for once the levels are whole, and not with itself", () => {
  assert.equal(probeOf(NEW_POLICY, undefined), undefined);
  assert.deepEqual(probeOf(draftOf(NIGHTS), 4), { policy_id: 4, filters: NIGHTS.filters, levels: NIGHTS.levels });
});

test("of the filters only those that were changed are sent", () => {
  assert.deepEqual(withChangedFilters(NIGHTS, { filters: { severities: [], tags: ["night"] } }), { filters: { severities: [] } });
  assert.deepEqual(withChangedFilters(NIGHTS, { name: "Days" }), { name: "Days" });
});

test("what another policy shares", () => {
  const overlap = {
    policy_id: 1,
    policy_name: "Days",
    shared_severities: ["critical" as const],
    shared_tags: ["db"],
    shared_channels: [1, 2],
  };
  const nameOf = (id: number): string => ["", "ops", "phone"][id] ?? "";
  assert.equal(overlapWords(overlap, nameOf), 'Critical alerts tagged db start "Days" too; both notify ops, phone.');
  assert.equal(
    overlapWords({ ...overlap, shared_severities: ["critical", "info"], shared_tags: [], shared_channels: [] }, nameOf),
    'Critical or info alerts start "Days" too; no channel is notified by both.',
  );
});
