import assert from "node:assert/strict";
import { it } from "node:test";
import { summarizeOutcomes } from "./outcomes.ts";

it("summarizes how the last runs ended", () => {
  assert.equal(summarizeOutcomes([]), "No run yet");
  assert.equal(summarizeOutcomes(["success"]), "The last run: 1 succeeded");
  assert.equal(
    summarizeOutcomes(["success", "missed", "success", "failure", "timeout"]),
    "The last 5 runs: 2 succeeded, 1 failed, 1 took too long, 1 did not report",
  );
});
