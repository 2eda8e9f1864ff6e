import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Contact, isConnected, nextRate, seenAtStart } from "./agent.ts";

describe("presence", () => {
  const seen = (quietMs: number, how: "streaming" | "taking" | "gone"): Contact => ({
    streaming: how !== "gone",
    taking: how === "taking",
    seenMs: 1_000_000 - quietMs,
  });
  const rows: [what: string, contact: Contact, stale: number, connected: boolean][] = [
    ["was seen just now", seen(0, "gone"), 60, true],
    ["was seen as long ago as the threshold", seen(60_000, "gone"), 60, true],
    ["was not seen for longer", seen(60_001, "gone"), 60, false],
    ["was never seen", seen(Infinity, "gone"), 60, false],
    ["has an open stream by which nothing came for longer", seen(60_001, "streaming"), 60, false],
    ["has an open stream and reported within its rhythm", seen(20_000, "streaming"), 5, true],
    ["has an open stream and has lost its rhythm", seen(20_001, "streaming"), 5, false],
    ["is not read while what it reported is saved", seen(600_000, "taking"), 60, true],
  ];
  for (const [what, contact, stale, connected] of rows)
    it(`who ${what} is ${connected ? "" : "not "}connected`, () =>
      assert.equal(isConnected(contact, { nowMs: 1_000_000, staleMs: stale * 1_000 }), connected));

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
