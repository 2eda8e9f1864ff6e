import assert from "node:assert/strict";
import { it } from "node:test";
import { traceOf } from "./trace.ts";
import type { SavedEvaluation } from "./rows.ts";

const AT = new Date("2026-03-01T12:00:00Z");

function evaluation(
  stage: "dedup" | "routing" | "deliver",
  verdict: "passed" | "stopped",
  transition: "raised" | "released" | "resolved" = "raised",
): SavedEvaluation {
  return { number: 1, transition, at: AT, verdicts: [{ stage, verdict, text: "So it is." }] };
}

const summaryOf = (...evaluations: SavedEvaluation[]) => traceOf(7, evaluations, []).summary;

it("does not say that nobody was notified once the deliveries are past their retention", () => {
  const notKept = "Deliveries are past their retention period.";
  assert.equal(summaryOf(evaluation("deliver", "passed")), notKept);
  assert.equal(summaryOf(evaluation("deliver", "passed"), evaluation("routing", "stopped", "resolved")), notKept);
  assert.equal(summaryOf(evaluation("dedup", "stopped")), notKept);
});

it("says that nobody was notified, and why", () => {
  assert.equal(summaryOf(), "Nobody was notified. Processing is not finished.");
  assert.equal(summaryOf(evaluation("routing", "stopped")), "Nobody was notified. So it is.");
  assert.equal(summaryOf(evaluation("dedup", "stopped", "released")), "Nobody was notified. So it is.");
});
