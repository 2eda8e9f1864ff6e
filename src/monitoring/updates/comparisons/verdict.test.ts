import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { RULES, stillWorse, verdictOf, type Figures, type Observed, type Sizes, regressionMessage } from "./verdict.ts";

const MIB = 1024 ** 2;
const calm: Observed = {
  figures: { restartsPerDay: 0, failedChecksPercent: 0, responseTimeMs: 100, cpuCoresUsed: 0.2, memoryBytes: 180 * MIB },
  sizes: { restarts: 0, days: 1, checks: 1000, failures: 0, answers: 1000, minutes: 960 },
};
const but = (figures: Partial<Figures>, sizes: Partial<Sizes> = {}): Observed => ({
  figures: { ...calm.figures, ...figures },
  sizes: { ...calm.sizes, ...sizes },
});

describe("the verdict on an update", () => {
  const cases: readonly [string, Observed, Observed, string, string[]][] = [
    ["nothing", calm, calm, "unchanged", []],
    ["more memory", calm, but({ memoryBytes: 310 * MIB }), "worse", ["memory 310 MiB, was 180 MiB"]],
    ["less memory", but({ memoryBytes: 2.5 * 1024 * MIB }), calm, "better", ["memory 180 MiB, was 2.5 GiB"]],
    ["twice as much of little memory", but({ memoryBytes: 20 * MIB }), but({ memoryBytes: 60 * MIB }), "unchanged", []],
    ["much more of very much memory", but({ memoryBytes: 8e9 }), but({ memoryBytes: 9e9 }), "unchanged", []],
    ["memory of four minutes", calm, but({ memoryBytes: 900 * MIB }, { minutes: 4 }), "unchanged", []],
    ["more CPU", calm, but({ cpuCoresUsed: 0.35 }), "worse", ["CPU 0.35 cores, was 0.2 cores"]],
    ["five times no CPU", but({ cpuCoresUsed: 0.01 }), but({ cpuCoresUsed: 0.05 }), "unchanged", []],
    ["slower", calm, but({ responseTimeMs: 160 }), "worse", ["response time 160 ms, was 100 ms"]],
    ["slower by little", but({ responseTimeMs: 10 }), but({ responseTimeMs: 40 }), "unchanged", []],
    ["slower by few checks", calm, but({ responseTimeMs: 900 }, { answers: 19 }), "unchanged", []],
    ["failing", calm, but({ failedChecksPercent: 4.25 }, { failures: 42 }), "worse", ["failed checks 4.3 %, was 0 %"]],
    ["two failures", calm, but({ failedChecksPercent: 8 }, { checks: 25, failures: 2 }), "unchanged", []],
    ["restarts", calm, but({ restartsPerDay: 5 }, { restarts: 5 }), "worse", ["restarts 5 in 24 h, was 0"]],
    ["one restart", calm, but({ restartsPerDay: 1 }, { restarts: 1 }), "unchanged", []],
    [
      "as often, in less time",
      but({ restartsPerDay: 96 }, { restarts: 96 }),
      but({ restartsPerDay: 96 }, { restarts: 4, days: 1 / 24 }),
      "unchanged",
      [],
    ],
    [
      "better and worse",
      calm,
      but({ memoryBytes: 310 * MIB, cpuCoresUsed: 0.01 }),
      "worse",
      ["CPU 0.01 cores, was 0.2 cores", "memory 310 MiB, was 180 MiB"],
    ],
    [
      "what nobody saw",
      calm,
      but({ restartsPerDay: null, failedChecksPercent: null, responseTimeMs: null, cpuCoresUsed: null, memoryBytes: null }),
      "unknown",
      [],
    ],
  ];
  for (const [name, before, after, verdict, texts] of cases)
    it(name, () => {
      const found = verdictOf(before, after);
      assert.deepEqual([found.verdict, found.changes.map(({ text }) => text)], [verdict, texts]);
    });

  it("keeps what was worse as long as the new image is not seen in that figure", () => {
    const { changes } = verdictOf(calm, but({ memoryBytes: 310 * MIB, responseTimeMs: 900, cpuCoresUsed: 0.01 }));
    const { seen } = verdictOf(but({ responseTimeMs: null }), but({ memoryBytes: null }, { checks: 9 }));
    assert.deepEqual(seen, ["restarts", "response_time", "cpu"]);
    assert.deepEqual(
      stillWorse(changes, seen).map(({ figure }) => figure),
      ["memory"],
    );
  });

  it("says in one sentence what is worse, and only that", () => {
    const { changes } = verdictOf(calm, but({ memoryBytes: 310 * MIB, cpuCoresUsed: 0.01, responseTimeMs: 12_345 }));
    assert.equal(
      regressionMessage("web", changes),
      "web performs worse since its image changed: response time 12.3 s, was 100 ms; memory 310 MiB, was 180 MiB.",
    );
    assert.equal(regressionMessage("web", []), null);
  });

  const amount = fc.option(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e12, noNaN: true })), { nil: null });
  const observed: fc.Arbitrary<Observed> = fc.record({
    figures: fc.record({
      restartsPerDay: amount,
      failedChecksPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null }),
      responseTimeMs: amount,
      cpuCoresUsed: fc.option(fc.double({ min: 0, max: 64, noNaN: true }), { nil: null }),
      memoryBytes: amount,
    }),
    sizes: fc.record({
      restarts: fc.nat({ max: 500 }),
      days: fc.double({ min: 0.01, max: 1, noNaN: true }),
      checks: fc.nat({ max: 5000 }),
      failures: fc.nat({ max: 100 }),
      answers: fc.nat({ max: 5000 }),
      minutes: fc.nat({ max: 1440 }),
    }),
  });

  it("is never other than unchanged between equals", () => {
    fc.assert(fc.property(observed, (each) => ["unchanged", "unknown"].includes(verdictOf(each, each).verdict)));
  });
  it("is the opposite the other way round", () => {
    fc.assert(
      fc.property(observed, observed, (a, b) => {
        const there = verdictOf(a, b).changes.map(({ figure, worse }) => `${figure} ${worse}`);
        const back = verdictOf(b, a).changes.map(({ figure, worse }) => `${figure} ${!worse}`);
        assert.deepEqual(there, back);
      }),
    );
  });
  it("has a rule for every figure, each with a factor", () => {
    assert.equal(new Set(RULES.map(({ figure }) => figure)).size, 5);
    assert.ok(RULES.every(({ factor }) => factor > 1));
  });
});
