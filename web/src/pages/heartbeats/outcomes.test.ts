import assert from "node:assert/strict";
import { it } from "node:test";
import { tellOutcomes } from "./outcomes.ts";

it("tells how the last runs ended", () => {
  assert.equal(tellOutcomes([]), "No run yet");
  assert.equal(tellOutcomes(["success"]), "The last run: 1 succeeded");
  assert.equal(
    tellOutcomes(["success", "missed", "success", "failure", "timeout"]),
    "The last 5 runs: 2 succeeded, 1 failed, 1 took too long, 1 did not report",
  );
});
