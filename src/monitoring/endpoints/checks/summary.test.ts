import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import type { FailureClass } from "../../../observations.ts";
import type { Check } from "./head.ts";
import { createCheckSummary } from "./summary.ts";

function check(atMs: number, facts: Partial<Check> = {}): Check {
  return {
    atMs,
    success: true,
    observed: true,
    replayed: false,
    late: false,
    wentDown: false,
    responseTimeMs: 10,
    httpStatus: 200,
    failureClass: null,
    error: null,
    ...facts,
  };
}

const failed = (atMs: number, failureClass: FailureClass | null, responseTimeMs: number | null = null): Check =>
  check(atMs, { success: false, failureClass, responseTimeMs });

function summarize(checks: readonly Check[], untilMs: number, longestMs = 100) {
  const summary = createCheckSummary();
  for (const each of checks) summary.add(each);
  return summary.end(untilMs, longestMs);
}

const anyCheck = fc
  .record({
    atMs: fc.nat({ max: 500 }),
    success: fc.boolean(),
    observed: fc.boolean(),
    responseTimeMs: fc.option(fc.nat({ max: 1000 })),
    failureClass: fc.option(fc.constantFrom("dns", "connect", "timeout", "tls", "http", "assertion" as const)),
  })
  .map(({ atMs, ...facts }) => check(atMs, facts));

describe("the summary of checks", () => {
  it("counts failures by class, and knows the last", () => {
    const { failures, failuresByClass, lastFailureAtMs, checks, unobserved } = summarize(
      [failed(10, "dns"), failed(20, "http", 5), failed(30, "http", 5), failed(40, null), check(50), check(60, { observed: false })],
      60,
    );
    assert.deepEqual([checks, failures, unobserved, lastFailureAtMs], [5, 4, 1, 40]);
    assert.deepEqual(failuresByClass, { dns: 1, connect: 0, timeout: 0, tls: 0, http: 2, assertion: 0, other: 1 });
  });

  it("lets a check speak until the next one, and no longer than one may", () => {
    const rows: [what: string, checks: Check[], untilMs: number, uptime: number | null][] = [
      ["nothing", [], 100, null],
      ["a success until now", [check(0)], 50, 100],
      ["half of the time", [check(0), failed(50, "http")], 100, 50],
      ["a success, then a silence", [check(0), failed(300, "http")], 400, 50],
      ["nobody looked", [check(0), check(20, { observed: false }), failed(30, "dns")], 50, 50],
      ["a clock ahead of ours", [check(0), check(80)], 40, 100],
    ];
    for (const [what, checks, untilMs, uptime] of rows) assert.equal(summarize(checks, untilMs).uptimePercent, uptime, what);
  });

  it("names response times that were seen", () => {
    const times = Array.from({ length: 100 }, (_, index) => check(index, { responseTimeMs: index + 1 }));
    const { responseTimeP50, responseTimeP95 } = summarize([...times, failed(200, "timeout")], 300);
    assert.deepEqual([responseTimeP50, responseTimeP95], [50, 95]);
    const none = summarize([failed(1, "timeout"), check(2, { observed: false, responseTimeMs: 7 })], 300);
    assert.deepEqual([none.responseTimeP50, none.responseTimeP95], [null, null]);
  });

  it("is the same in whatever order checks come, and however often", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyCheck, { selector: ({ atMs }) => atMs, maxLength: 30 }),
        fc.infiniteStream(fc.nat()),
        (checks, chance) => {
          const shuffled = [...checks, ...checks.slice(0, 5)]
            .map((each) => ({ each, at: chance.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ each }) => each);
          assert.deepEqual(summarize(shuffled, 600), summarize(checks, 600));
        },
      ),
    );
  });
});
