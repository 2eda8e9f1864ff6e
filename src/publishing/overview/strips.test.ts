import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { STRIP_STATES, type StateSpan } from "../../contract/strip.ts";
import { coarser, compareStrips, stripOf, withOutages } from "./strips.ts";

const scale = { fromMs: 100, stepMs: 10, steps: 4 };

describe("a strip", () => {
  it("has the worst state of each step, and says where nothing was seen", () => {
    const spans: StateSpan[] = [
      { from: 105, to: 120, state: "up" },
      { from: 119, to: 120, state: "down" },
      { from: 120, to: 121, state: "stopped" },
    ];
    assert.deepEqual(stripOf(spans, scale), [
      { state: "up", steps: 1 },
      { state: "down", steps: 1 },
      { state: "stopped", steps: 1 },
      { state: "unknown", steps: 1 },
    ]);
    assert.deepEqual(stripOf([], scale), [{ state: "unknown", steps: 4 }]);
    assert.deepEqual(stripOf([{ from: 0, to: 1000, state: "up" }], scale), [{ state: "up", steps: 4 }]);
  });

  const span = fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 60 }), fc.constantFrom(...STRIP_STATES))
    .map(([from, length, state]): StateSpan => ({ from, to: from + length, state }));

  it("covers every step, and no two runs beside each other are the same", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const runs = stripOf(spans, scale);
        assert.equal(
          runs.reduce((sum, { steps }) => sum + steps, 0),
          scale.steps,
        );
        assert.ok(runs.every(({ state }, index) => state !== runs[index - 1]?.state));
      }),
    );
  });

  it("is down during outages, where something is known and it was not stopped", () => {
    const spans: StateSpan[] = [
      { from: 0, to: 10, state: "up" },
      { from: 20, to: 30, state: "stopped" },
    ];
    const outages = [
      { from: 4, to: 6 },
      { from: 8, to: 25 },
    ];
    assert.deepEqual(
      withOutages(spans, outages).toSorted((a, b) => a.from - b.from),
      [
        { from: 0, to: 4, state: "up" },
        { from: 4, to: 6, state: "down" },
        { from: 6, to: 8, state: "up" },
        { from: 8, to: 10, state: "down" },
        { from: 20, to: 30, state: "stopped" },
      ],
    );
  });

  it("comes first when it was down longest, then degraded, then unknown", () => {
    const [up, unknown, degraded, down, longer] = [
      [{ state: "up", steps: 4 }],
      [{ state: "unknown", steps: 4 }],
      [{ state: "degraded", steps: 4 }],
      [{ state: "down", steps: 1 }],
      [{ state: "down", steps: 2 }],
    ] as const;
    assert.deepEqual([up, unknown, degraded, down, longer].toSorted(compareStrips), [longer, down, degraded, unknown, up]);
  });

  it("is as bad as the worst in longer steps", () => {
    const runs = [
      { state: "up", steps: 3 },
      { state: "down", steps: 1 },
      { state: "stopped", steps: 2 },
      { state: "unknown", steps: 3 },
    ] as const;
    assert.deepEqual(coarser(runs, 2), [
      { state: "up", steps: 1 },
      { state: "down", steps: 1 },
      { state: "stopped", steps: 1 },
      { state: "unknown", steps: 2 },
    ]);
    assert.deepEqual(coarser(runs, 1), runs);
  });
});
