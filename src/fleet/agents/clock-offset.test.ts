import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measuredOffset } from "./clock-offset.ts";

/** What becomes of an offset by these readings, in seconds. */
function after(presentSeconds: number, readings: readonly number[]): number {
  const kept: number[] = [];
  return readings.reduce(
    (present, seconds) => (measuredOffset(kept, seconds * 1000, present * 1000) ?? present * 1000) / 1000,
    presentSeconds,
  );
}
const times = (count: number, seconds: number): number[] => Array.from({ length: count }, () => seconds);

describe("the offset of a clock", () => {
  it("follows a clock that was set ahead at once, since no message is early", () => {
    assert.equal(after(0, [0.2, 30.1]), 30);
    assert.equal(after(-20, [-20, 0]), 0);
  });

  it("is not moved by slow messages, as long as one in a minute is not slow", () => {
    assert.equal(after(0, times(11, -8)), 0);
    assert.equal(after(0, [...times(11, -8), -0.1, ...times(11, -40), -0.2]), 0);
  });

  it("follows a clock that was set back within a minute", () => {
    assert.equal(after(0, [0, ...times(12, -25)]), -25);
    assert.equal(after(60, [...times(12, 0), 60]), 60);
  });

  it("stays as it is for less than a second, so that it is not written again and again", () => {
    assert.equal(after(2, [...times(30, 2.9), ...times(30, 1.1)]), 2);
  });

  it("is at most a day", () => {
    assert.equal(after(0, [1e12]), 86_400);
    assert.equal(after(0, times(12, -1e12)), -86_400);
  });
});
