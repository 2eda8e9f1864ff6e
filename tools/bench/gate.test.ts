import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { absoluteFigure, ratioFigure } from "./figure.ts";
import { failsGate } from "./gate.ts";

const lost = (value: number): ReturnType<typeof absoluteFigure> =>
  absoluteFigure({ name: "fanout: events lost", value, unit: "events", atMost: 0 });

describe("the gate of a quick bench", () => {
  const cases = [
    { name: "nothing lost", figure: lost(0), fails: false },
    { name: "one lost", figure: lost(1), fails: true },
    { name: "a count that was not made", figure: lost(Number.NaN), fails: true },
    { name: "a size at its margin", figure: absoluteFigure({ name: "page", value: 150, unit: "kB", atMost: 50 }), fails: false },
    { name: "a size beyond it", figure: absoluteFigure({ name: "page", value: 151, unit: "kB", atMost: 50 }), fails: true },
    {
      name: "a size within its own margin",
      figure: absoluteFigure({ name: "memory", value: 114, unit: "MB", atMost: 100, margin: 1.15 }),
      fails: false,
    },
    {
      name: "a size beyond its own margin",
      figure: absoluteFigure({ name: "memory", value: 116, unit: "MB", atMost: 100, margin: 1.15 }),
      fails: true,
    },
    { name: "a time, however long", figure: absoluteFigure({ name: "p99", value: 9999, unit: "ms", atMost: 1 }), fails: false },
    { name: "a ratio of times", figure: ratioFigure({ name: "p99", value: 99, baseline: 1, unit: "ms", atMost: 2 }), fails: false },
    {
      name: "CPU time at its margin",
      figure: ratioFigure({ name: "CPU a sample", value: 1.5, baseline: 1, unit: "us", atMost: 0.5 }),
      fails: false,
    },
    {
      name: "CPU time beyond it",
      figure: ratioFigure({ name: "CPU a sample", value: 1.6, baseline: 1, unit: "us", atMost: 0.5 }),
      fails: true,
    },
    {
      name: "work a CPU second beyond it",
      figure: ratioFigure({ name: "requests a CPU second", value: 19, baseline: 100, unit: "1/s", atLeast: 0.6 }),
      fails: true,
    },
    { name: "CPU time without a baseline", figure: absoluteFigure({ name: "CPU", value: 9, unit: "us", atMost: 1 }), fails: false },
  ];
  for (const { name, figure, fails } of cases) it(`${name} ${fails ? "fails" : "passes"}`, () => assert.equal(failsGate(figure), fails));
});
