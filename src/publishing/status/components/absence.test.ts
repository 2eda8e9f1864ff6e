import assert from "node:assert/strict";
import { it } from "node:test";
import { createAbsences } from "./absence.ts";

it("what was announced as removed is gone at once, and not more is remembered than has a use", () => {
  let nowMs = 0;
  const absences = createAbsences({ mayReturn: () => true, monotonicMs: () => nowMs });
  const isGone = (id: number): boolean =>
    absences.isGone({ monitor: { type: "container", id }, agentId: null, needsAttention: false }, undefined);
  for (let id = 1; id <= 1_001; id += 1) absences.removed({ type: "container", id });
  assert.deepEqual([isGone(2), isGone(1_001), isGone(1), isGone(5_000)], [true, true, false, false]);
  nowMs = 600_000;
  assert.deepEqual([isGone(1), isGone(5_000)], [true, true]);
});
