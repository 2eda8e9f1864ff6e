import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import type { CheckResult } from "../../../observations.ts";
import { createHead, type Check, toCheck } from "./head.ts";

const anyCheck: fc.Arbitrary<Check> = fc.record(
  {
    atMs: fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }),
    success: fc.boolean(),
    observed: fc.boolean(),
    replayed: fc.boolean(),
    late: fc.boolean(),
    wentDown: fc.boolean(),
    responseTimeMs: fc.option(fc.integer({ min: 0, max: 36_000_000 }).map((tenths) => tenths / 10)),
    httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
    failureClass: fc.option(fc.constantFrom("dns", "connect", "timeout", "tls", "http", "assertion")),
    error: fc.option(fc.string({ minLength: 1, maxLength: 30 })),
  },
  { noNullPrototype: true },
);

describe("checks in memory", () => {
  it("are what they were", () => {
    fc.assert(
      fc.property(fc.array(anyCheck, { maxLength: 40 }), fc.nat(50), (checks, dropped) => {
        const head = createHead();
        for (const each of checks) head.add(7, each);
        assert.deepEqual(head.of(7), checks);
        head.drop(7, dropped);
        assert.deepEqual(head.of(7), checks.slice(dropped));
        for (const each of checks) head.add(7, each);
        assert.deepEqual(head.of(7), [...checks.slice(dropped), ...checks]);
        assert.equal(head.count(), head.of(7).length);
        head.drop(7);
        assert.deepEqual([head.of(7), head.count(), head.ids()], [[], 0, []]);
      }),
    );
  });

  it("are apart for each endpoint", () => {
    const [one, two] = fc.sample(anyCheck, { numRuns: 2, seed: 1 });
    assert.ok(one && two);
    const head = createHead();
    head.add(1, one);
    head.add(2, two);
    assert.deepEqual([head.of(1), head.of(2), head.ids()], [[one], [two], [1, 2]]);
  });
});

describe("what a host says of a check", () => {
  const result: CheckResult = {
    success: false,
    observed: true,
    responseTimeMs: 12.345,
    httpStatus: 503,
    failureClass: "http",
    error: "The answer was 503.",
    certificate: null,
  };
  const cases: [what: string, facts: Partial<CheckResult>, expected: Partial<Check>][] = [
    ["rounds to tenths of a millisecond", {}, { responseTimeMs: 12.3 }],
    ["bounds response times", { responseTimeMs: 1e12 }, { responseTimeMs: 3_600_000 }],
    ["takes no response time below nothing", { responseTimeMs: -5 }, { responseTimeMs: 0 }],
    ["knows no status that is none", { httpStatus: 7 }, { httpStatus: null }],
    ["cleans and cuts what went wrong", { error: `\u001b[31m${"x".repeat(2000)}` }, { error: `${"x".repeat(499)}…` }],
    ["has no class of failure after a success", { success: true }, { failureClass: null }],
  ];
  for (const [what, facts, expected] of cases)
    it(what, () => assert.partialDeepStrictEqual(toCheck({ ...result, ...facts }, new Date(5)), { atMs: 5, ...expected }));
});
