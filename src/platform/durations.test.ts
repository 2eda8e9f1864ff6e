import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { parseDuration } from "./durations.ts";

const CASES: [text: string, milliseconds: number | undefined][] = [
  ["0", 0],
  ["0s", 0],
  ["90s", 90_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  [".5s", 500],
  ["1.s", 1000],
  ["250ms", 250],
  ["1500us", 1.5],
  ["1500µs", 1.5],
  ["1500μs", 1.5],
  ["1000000ns", 1],
  ["1m1m", 120_000],
  ["876000h", 876_000 * 3_600_000],
  ["", undefined],
  ["90", undefined],
  ["s", undefined],
  [".s", undefined],
  ["1..5s", undefined],
  ["-1s", undefined],
  ["+1s", undefined],
  ["1 h", undefined],
  [" 1h", undefined],
  ["1h ", undefined],
  ["1H", undefined],
  ["1d", undefined],
  ["1e3s", undefined],
  ["１s", undefined],
  ["1h30", undefined],
  ["0x1s", undefined],
  ["NaNs", undefined],
  ["Infinitys", undefined],
  ["1000000h", undefined],
  [`${"9".repeat(400)}h`, undefined],
];

for (const [text, milliseconds] of CASES) {
  test(`${JSON.stringify(text.slice(0, 40))} is ${milliseconds === undefined ? "no duration" : `${milliseconds} ms`}`, () => {
    assert.equal(parseDuration(text), milliseconds);
  });
}

test("what is written in Go's format is read back", () => {
  const part = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
  fc.assert(
    fc.property(part(100_000), part(59), part(59), part(999), (hours, minutes, seconds, milliseconds) => {
      const expected = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
      assert.equal(parseDuration(`${hours}h${minutes}m${seconds}s${milliseconds}ms`), expected);
      assert.equal(parseDuration(`${expected}ms`), expected);
    }),
  );
});

test("anything else is a plain number of milliseconds within bounds, or none", () => {
  const pieces = fc.array(fc.constantFrom("1", "0", ".", "5", "h", "m", "s", "ms", "µs", "ns", "-", " ", "e", "x"), { maxLength: 12 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        pieces.map((each) => each.join("")),
      ),
      (text) => {
        const milliseconds = parseDuration(text);
        assert.ok(milliseconds === undefined || (Number.isFinite(milliseconds) && milliseconds >= 0), `${text} -> ${milliseconds}`);
      },
    ),
    { numRuns: 1000 },
  );
});

for (const [name, text] of Object.entries({
  digits: "1".repeat(1_000_000),
  "digits after a point": `0.${"1".repeat(1_000_000)}`,
  points: "1.".repeat(500_000),
  parts: `${"0s".repeat(500_000)}x`,
})) {
  test(`a megabyte of ${name} is refused at once`, () => {
    const startedMs = performance.now();
    assert.equal(parseDuration(text), undefined);
    assert.ok(performance.now() - startedMs < 10_000);
  });
}
