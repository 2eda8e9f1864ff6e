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

  for (const staleMs of [5_000, 60_000, 600_000])
    it(`after our own start an agent may take its longest wait, and the threshold of ${staleMs} ms at least`, () => {
      const seenMs = seenAtStart({ startMs: 1_000, staleMs });
      const lostAfter = seenMs + staleMs - 1_000;
      assert.equal(lostAfter, Math.max(75_000, staleMs));
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
