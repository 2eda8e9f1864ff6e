import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { LONGEST_GAP_MS, NOT_EXCEEDED, stepThreshold, type Step } from "./limits.ts";

interface Sample {
  atMs: number;
  value: number | null;
}

/** What each sample made of it. */
function run(samples: readonly Sample[], { threshold = 90, debounceMs = 60_000 } = {}): Step[] {
  let state = NOT_EXCEEDED;
  return samples.map((sample) => {
    const step = stepThreshold(state, sample, { threshold, debounceMs });
    state = step.state;
    return step;
  });
}

/** Samples ten seconds apart; `_` is none, `x` one without a value. */
function each10s(text: string): Sample[] {
  return text
    .split(" ")
    .flatMap((word, index) => (word === "_" ? [] : [{ atMs: index * 10_000, value: word === "x" ? null : Number(word) }]));
}

/** In which samples it fired and cleared, by their seconds. */
function changes(samples: readonly Sample[], options?: { threshold?: number; debounceMs?: number }): string[] {
  return run(samples, options).flatMap(({ change }, index) =>
    change === undefined ? [] : [`${change} ${(samples[index]?.atMs ?? 0) / 1000}`],
  );
}

describe("a threshold", () => {
  const stories: [what: string, samples: string, expected: string[]][] = [
    ["fires when it was above for the whole debounce", "91 91 91 91 91 91 91 91", ["fired 60"]],
    ["is not exceeded at the threshold itself", "90 90 90 90 90 90 90 90", []],
    ["does not fire when the value was back for one sample", "91 91 91 90 91 91 91 91 91 91", []],
    ["starts counting again from then", "91 91 91 90 91 91 91 91 91 91 91", ["fired 100"]],
    ["clears when it was at or below for as long", "91 91 91 91 91 91 91 90 90 90 90 90 90 90", ["fired 60", "cleared 130"]],
    ["does not clear for a moment below", "91 91 91 91 91 91 91 90 90 90 91 90 90 90 90 90", ["fired 60"]],
    ["is not sure after a sample without a value", "91 91 91 x 91 91 91 91 91 91", []],
    ["is not sure after a gap", "91 91 _ _ _ 91 91 91 91", []],
    ["bridges what one or two ticks left out", "91 91 _ _ 91 91 91", ["fired 60"]],
    ["stays fired through samples without a value", "91 91 91 91 91 91 91 x x x x x x x x", ["fired 60"]],
    ["needs the whole time below after a gap", "91 91 91 91 91 91 91 90 90 _ _ _ _ 90 90 90 90 90 90 90", ["fired 60", "cleared 190"]],
    ["fires again after it cleared", "91 91 91 91 91 91 91 0 0 0 0 0 0 0 91 91 91 91 91 91 91", ["fired 60", "cleared 130", "fired 200"]],
  ];
  for (const [what, samples, expected] of stories) it(what, () => assert.deepEqual(changes(each10s(samples)), expected));

  it("without a debounce follows each sample", () => {
    assert.deepEqual(changes(each10s("91 90 91 x 90"), { debounceMs: 0 }), ["fired 0", "cleared 10", "fired 20", "cleared 40"]);
  });

  it("is not changed by what is older, or the same", () => {
    const samples = [
      { atMs: 10_000, value: 91 },
      { atMs: 10_000, value: 0 },
      { atMs: 5_000, value: 0 },
      { atMs: 20_000, value: 91 },
    ];
    const steps = run(samples, { debounceMs: 10_000 });
    assert.equal(steps[1]?.state, steps[0]?.state);
    assert.equal(steps[2]?.state, steps[0]?.state);
    assert.equal(steps[3]?.change, "fired");
  });

  it("knows the most since it went above", () => {
    const peaks = run(each10s("99 92 91 95 x 91 90"), { debounceMs: 20_000 }).map(({ state }) => state.peak);
    assert.deepEqual(peaks, [99, 99, 99, 99, 99, 99, 99]);
    assert.deepEqual(
      run(each10s("99 90 91 x 92"), { debounceMs: 60_000 }).map(({ state }) => state.peak),
      [99, null, 91, null, 92],
    );
    assert.equal(run(each10s("99 90"), { debounceMs: 0 }).at(-1)?.state.peak, null);
  });

  it("does as the definition says, whatever comes", () => {
    const sample = fc.record({
      passedMs: fc.constantFrom(0, -10_000, 10_000, 10_000, 10_000, 10_000, 20_000, LONGEST_GAP_MS, LONGEST_GAP_MS + 1),
      value: fc.option(fc.constantFrom(0, 49, 50, 51, 100), { freq: 8 }),
    });
    const debounceMs = fc.constantFrom(0, 1, 10_000, 25_000, 60_000);
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), debounceMs, (passed, debounce) => {
        let atMs = 0;
        const samples = passed.map(({ passedMs, value }) => ({ atMs: (atMs += passedMs), value }));
        const steps = run(samples, { threshold: 50, debounceMs: debounce });
        let fired = false;
        for (const [index, { state, change }] of steps.entries()) {
          const expected = flips(samples.slice(0, index + 1), { fired, debounceMs: debounce, steps });
          assert.equal(change, expected ? (fired ? "cleared" : "fired") : undefined);
          if (expected) fired = !fired;
          assert.equal(state.fired, fired);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/**
 * The definition, read from the whole past: of the samples that count (each newer than all before it), those without a break and since the last
 * change that end with the last one and are all on the other side span the debounce.
 */
function flips(
  past: readonly Sample[],
  { fired, debounceMs, steps }: { fired: boolean; debounceMs: number; steps: readonly Step[] },
): boolean {
  const counting: (Sample & { index: number })[] = [];
  for (const [index, sample] of past.entries()) if (sample.atMs > (counting.at(-1)?.atMs ?? -Infinity)) counting.push({ ...sample, index });
  const last = counting.at(-1);
  if (last === undefined || last.index !== past.length - 1) return false;
  let since: number | undefined;
  for (const [place, { value, index, atMs }] of counting.entries().toArray().toReversed()) {
    if (value === null || value > 50 === fired) break;
    if (index < past.length - 1 && steps[index]?.change !== undefined) break;
    const next = counting[place + 1];
    if (next !== undefined && next.atMs - atMs > LONGEST_GAP_MS) break;
    since = atMs;
  }
  return since !== undefined && last.atMs - since >= debounceMs;
}
