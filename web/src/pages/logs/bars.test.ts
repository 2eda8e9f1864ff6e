import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { barsOf, spanOf } from "./bars.ts";

const NONE = { error: 0, warn: 0, info: 0, debug: 0, none: 0 };
const at = (second: number): string => new Date(Date.parse("2026-03-01T12:00:00Z") + second * 1000).toISOString();

describe("the bars of a histogram", () => {
  it("fill the time between the first and the last", () => {
    const bars = barsOf({
      bucket_seconds: 10,
      buckets: [
        { ...NONE, timestamp: at(0), error: 2, none: 1 },
        { ...NONE, timestamp: at(30), warn: 1 },
      ],
    });
    assert.deepEqual(
      bars.map(({ total }) => total),
      [3, 0, 0, 1],
    );
    assert.deepEqual(bars[0]?.counts.error, 2);
    const [first, , , last] = bars;
    assert.ok(first !== undefined && last !== undefined);
    assert.deepEqual(spanOf(last, first), { since: at(0), until: at(40) });
  });

  it("are few, whatever the clocks of hosts say", () => {
    assert.deepEqual(barsOf({ bucket_seconds: 1, buckets: [] }), []);
    const far = [0, 1_000_000_000].map((second) => ({ ...NONE, timestamp: at(second), info: 1 }));
    assert.equal(barsOf({ bucket_seconds: 1, buckets: far }).length, 2);
  });
});
