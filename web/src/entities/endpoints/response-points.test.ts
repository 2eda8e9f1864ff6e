import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResponseTimes } from "../../../../src/monitoring/endpoints/answers.ts";
import { durationScale, failureSpans, openGaps } from "./response-points.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 4, minute)).toISOString();
const TIMES: ResponseTimes = {
  endpoint_id: 1,
  range: "6h",
  step_seconds: 60,
  series: {
    timestamps: [at(0), at(1), at(5), at(6)],
    response_time_ms: [10, null, 30, 40],
    response_time_ms_max: [12, null, 33, 44],
    checks: [2, 2, 2, 2],
    failures: [0, 2, 1, 1],
  },
};

describe("the points of response times", () => {
  it("opens gaps where steps are left out", () => {
    const { times, mean } = openGaps(TIMES);
    assert.deepEqual(
      times,
      [at(0), at(1), at(4), at(5), at(6)].map((each) => Date.parse(each)),
    );
    assert.deepEqual(mean, [10, null, null, 30, 40]);
  });

  it("shades failures, neighbours together", () => {
    assert.deepEqual(failureSpans(TIMES), [
      { from: Date.parse(at(1)), until: Date.parse(at(2)), words: "2 of 2 checks failed" },
      { from: Date.parse(at(5)), until: Date.parse(at(7)), words: "2 of 4 checks failed" },
    ]);
  });

  it("has round marks up to the highest, and none where nothing was measured", () => {
    assert.deepEqual(
      durationScale(37).ticks.map(({ label }) => label),
      ["0", "10 ms", "20 ms", "30 ms", "40 ms"],
    );
    assert.deepEqual(
      durationScale(1800).ticks.map(({ label }) => label),
      ["0", "500 ms", "1 s", "1.5 s", "2 s"],
    );
    assert.deepEqual(durationScale(null).ticks, []);
    const scale = durationScale(37);
    assert.ok(scale.fractionOf(37) < 1 && Math.abs(scale.valueAt(scale.fractionOf(20)) - 20) < 1e-9);
  });
});
