import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answersOf, pairsOf } from "./measure.ts";

describe("endpoints before and after", () => {
  const asked = (id: number, labelKey: string | null, target: string) => ({ id, labelKey, target });
  it("are the same by their label, else by what they ask", () => {
    const before = [asked(1, "a", "http://x/"), asked(2, "b", "http://y/"), asked(3, "a", "http://x/"), asked(4, "gone", "http://z/")];
    const after = [asked(5, "a", "http://x/new"), asked(6, "renamed", "http://y/"), asked(7, "new", "http://n/")];
    assert.deepEqual(pairsOf(before, after), [
      { before: [1, 3], after: [5] },
      { before: [2], after: [6] },
    ]);
  });

  it("count what was observed, and take the median of what succeeded", () => {
    const check = (response_time_ms: number | null, success = true, observed = true) => ({ response_time_ms, success, observed });
    const checks = [check(30), check(10), check(900, false), check(null, false, false), check(20), check(40)];
    assert.deepEqual(answersOf(checks), { checks: 5, failures: 1, answers: 4, medians: [25] });
    assert.deepEqual(answersOf([]), { checks: 0, failures: 0, answers: 0, medians: [] });
  });
});
