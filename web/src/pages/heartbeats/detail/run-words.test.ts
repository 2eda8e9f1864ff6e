import assert from "node:assert/strict";
import { it } from "node:test";
import { pingWords, runWords, summarizeRuns } from "./run-words.ts";

it("describes how a run ended", () => {
  assert.deepEqual(runWords({ outcome: "failure", exit_code: 3 }), { status: "down", word: "Exit 3" });
  assert.deepEqual(runWords({ outcome: "failure", exit_code: null }), { status: "down", word: "Failed" });
});

it("describes what a ping reported", () => {
  assert.deepEqual(pingWords({ kind: "exit_code", exit_code: 0 }), { status: "ok", word: "Exit 0" });
  assert.deepEqual(pingWords({ kind: "exit_code", exit_code: 1 }), { status: "down", word: "Exit 1" });
});

it("summarizes many runs", () => {
  const runs = [
    { outcome: "success", duration_ms: 4200 },
    { outcome: "failure", duration_ms: null },
    { outcome: "timeout", duration_ms: 185_000 },
  ] as const;
  assert.equal(summarizeRuns(runs), "The last 3 runs: 2 failed; the longest took 3 min 5 s");
  assert.equal(summarizeRuns([{ outcome: "success", duration_ms: null }]), "The last 1 run: none failed");
});
