import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isConnected, nextRate, seenAtStart } from "./presence.ts";

describe("presence", () => {
  const rows: [what: string, streaming: boolean, quietMs: number, connected: boolean][] = [
    ["streams", true, 0, true],
    ["streams, and has nothing to say", true, 600_000, true],
    ["was seen just now", false, 0, true],
    ["was seen as long ago as the threshold", false, 60_000, true],
    ["was not seen for longer", false, 60_001, false],
    ["was never seen", false, Infinity, false],
  ];
  for (const [what, streaming, quietMs, connected] of rows)
    it(`who ${what} is ${connected ? "" : "not "}connected`, () =>
      assert.equal(isConnected({ streaming, seenMs: 1_000_000 - quietMs }, { nowMs: 1_000_000, staleMs: 60_000 }), connected));

  const starts: [what: string, away: number, seenAgo: number, stale: number, lostAfter: number][] = [
    ["counted from when it was last seen", 10, 10, 60, 50],
    ["however long before our end that was, but it may come back first", 10, 50, 60, 22.5],
    ["the longest wait of its schedule after a long time away", 86_400, 86_400, 60, 75],
    ["that wait with a short threshold too", 3_600, 3_600, 5, 75],
    ["the whole threshold where it is long and it was seen just now", 0, 0, 600, 600],
    ["and no longer when the clock was set back", 0, -3_600, 60, 60],
  ];
  for (const [what, away, seenAgo, stale, lostAfter] of starts)
    it(`after our own start an agent is lost after ${lostAfter} s: ${what}`, () => {
      const staleMs = stale * 1_000;
      const seenMs = seenAtStart({ startMs: 7_000, seenAgoMs: seenAgo * 1_000, awayMs: away * 1_000, staleMs });
      assert.equal(seenMs + staleMs - 7_000, lostAfter * 1_000);
    });

  it("the rate settles at what comes, and falls when nothing does", () => {
    let rate = 0;
    for (let second = 0; second < 60; second += 1) rate = nextRate(rate, 50, 1_000);
    assert.ok(Math.abs(rate - 50) < 0.2, String(rate));
    for (let second = 0; second < 60; second += 1) rate = nextRate(rate, 0, 1_000);
    assert.ok(rate < 0.2, String(rate));
    assert.equal(nextRate(7, 5, 0), 7);
  });
});
