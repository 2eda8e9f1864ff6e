import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import type { EndpointCheck } from "../../observations.ts";
import { FIRST_RHYTHM, firstBeats, nextDueMs, nextRhythm } from "./rhythm.ts";

const check: EndpointCheck = {
  type: "tcp",
  target: "db:5432",
  intervalMs: 30_000,
  timeoutMs: 10_000,
  failureThreshold: 3,
  recoveryThreshold: 2,
  http: null,
};

/** Times of checks in seconds, each taking a tenth of one, for results written as `+`, `-` and, not observed, `?`. */
function timesOf(results: string, of: Partial<EndpointCheck> = {}): number[] {
  const mine = { ...check, ...of };
  let rhythm = FIRST_RHYTHM;
  let startedMs = 0;
  return [...results].map((result) => {
    rhythm = nextRhythm(rhythm, { success: result === "+", observed: result !== "?" }, mine);
    startedMs = nextDueMs(rhythm, mine, { beatMs: 0, startedMs, nowMs: startedMs + 100 });
    return startedMs / 1000;
  });
}

describe("the rhythm of checks", () => {
  const rows: [string, string, Partial<EndpointCheck>, number[]][] = [
    ["keeps its interval while all is well", "+++", {}, [30, 60, 90]],
    ["is fast from the first failure until it is decided, then on the beat again", "+----", {}, [30, 35, 40, 60, 90]],
    ["goes back to the interval when the doubt is gone", "+-+-+", {}, [30, 35, 60, 65, 90]],
    ["is fast from the first success until recovery is decided", "---+++", {}, [5, 10, 30, 35, 60, 90]],
    ["continues with the interval when a recovery was none", "---+--", {}, [5, 10, 30, 35, 60, 90]],
    ["takes one success as good news at the start", "-+", {}, [5, 30]],
    ["decides at once with thresholds of one", "-+-", { failureThreshold: 1, recoveryThreshold: 1 }, [30, 60, 90]],
    ["does not count what was not observed", "+??-??--", {}, [30, 60, 90, 95, 100, 105, 110, 120]],
    ["is never slower than the interval", "+---", { intervalMs: 2000 }, [2, 4, 6, 8]],
  ];
  for (const [name, results, of, times] of rows) it(name, () => assert.deepEqual(timesOf(results, of), times));

  it("is followed at once by the next when a check outlasts its time", () => {
    const times = { beatMs: 0, startedMs: 0, nowMs: 40_000 };
    assert.equal(nextDueMs({ status: "up", doubts: 0 }, check, times), 40_000);
    assert.equal(nextDueMs({ status: "up", doubts: 1 }, check, { ...times, nowMs: 9_000 }), 9_000);
  });

  it("never goes back in time, and never waits longer than the interval", () => {
    fc.assert(
      fc.property(
        fc.record({ intervalMs: fc.integer({ min: 1000, max: 90_000 }), beatMs: fc.integer(), doubts: fc.nat(2) }),
        fc.nat(1_000_000),
        fc.nat(100_000),
        ({ intervalMs, beatMs, doubts }, startedMs, tookMs) => {
          const nowMs = startedMs + tookMs;
          const dueMs = nextDueMs({ status: "up", doubts }, { ...check, intervalMs }, { beatMs, startedMs, nowMs });
          assert.ok(dueMs >= nowMs && dueMs <= Math.max(startedMs + intervalMs, nowMs));
        },
      ),
    );
  });

  it("spreads the first checks over 5 s and the beats over the interval", () => {
    const count = 10_000;
    const firsts = Array.from({ length: count }, (_, n) => firstBeats(n, check, 1000));
    const share = (values: number[], from: number, to: number): number =>
      values.filter((value) => value >= from && value < to).length / count;
    const dues = firsts.map(({ dueMs }) => dueMs - 1000);
    const beats = firsts.map(({ beatMs }) => beatMs - 5000);
    assert.ok(dues.every((due) => due >= 0 && due <= 5000));
    for (let second = 0; second < 30; second += 1) {
      assert.ok(Math.abs(share(beats, second * 1000, second * 1000 + 1000) - 1 / 30) < 0.001);
    }
    // From the first check to the first beat it is never longer than the interval.
    for (const { dueMs, beatMs } of firsts) assert.ok(beatMs > dueMs && beatMs - dueMs <= check.intervalMs + 1e-6);
  });
});
