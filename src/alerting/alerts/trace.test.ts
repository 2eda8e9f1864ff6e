import assert from "node:assert/strict";
import { it } from "node:test";
import { traceOf } from "./trace.ts";
import type { SavedWalk } from "./rows.ts";

const AT = new Date("2026-03-01T12:00:00Z");

function walk(
  stage: "dedup" | "routing" | "deliver",
  verdict: "passed" | "stopped",
  transition: "raised" | "released" | "resolved" = "raised",
): SavedWalk {
  return { walk: 1, transition, at: AT, verdicts: [{ stage, verdict, text: "So it is." }] };
}

const summaryOf = (...walks: SavedWalk[]) => traceOf(7, walks, []).summary;

it("does not say that nobody was notified once the deliveries are past their retention", () => {
  const notKept = "Deliveries are past their retention period.";
  assert.equal(summaryOf(walk("deliver", "passed")), notKept);
  assert.equal(summaryOf(walk("deliver", "passed"), walk("routing", "stopped", "resolved")), notKept);
  assert.equal(summaryOf(walk("dedup", "stopped")), notKept);
});

it("says that nobody was notified, and why", () => {
  assert.equal(summaryOf(), "Nobody was notified. Processing is not finished.");
  assert.equal(summaryOf(walk("routing", "stopped")), "Nobody was notified. So it is.");
  assert.equal(summaryOf(walk("dedup", "stopped", "released")), "Nobody was notified. So it is.");
});
