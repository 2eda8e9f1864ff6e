import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { formatRoundBytes } from "../format/bytes.ts";
import { bytesScale, memoryScale, PERCENT_SCALE, type YScale } from "./y-scale.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

function labels(scale: YScale): string[] {
  return scale.ticks.map(({ label }) => label);
}

test("percent go from 0 to 100, with room for marks above", () => {
  const scale = PERCENT_SCALE;
  assert.deepEqual(labels(scale), ["0 %", "25 %", "50 %", "75 %", "100 %"]);
  assert.deepEqual([0, 50, 100, 250, -5].map(scale.fractionOf), [0, 0.45, 0.9, 1, 0]);
  assert.deepEqual([0, 0.45, 0.9, 1].map(scale.valueAt), [0, 50, 100, 100]);
});

test("bytes have few round marks, and one that holds the highest", () => {
  const cases: [number | null, string[]][] = [
    [null, []],
    [0, ["0 B", "256 B", "512 B", "768 B", "1 KiB"]],
    [100 * MIB, ["0 B", "32 MiB", "64 MiB", "96 MiB", "128 MiB"]],
    [1.2 * GIB, ["0 B", "512 MiB", "1 GiB", "1.5 GiB"]],
    [4 * GIB, ["0 B", "1 GiB", "2 GiB", "3 GiB", "4 GiB"]],
  ];
  for (const [peak, marks] of cases) assert.deepEqual(labels(bytesScale(peak, formatRoundBytes)), marks);
});

describe("memory", () => {
  test("near its limit is drawn as it is", () => {
    const scale = memoryScale({ peak: 150 * MIB, limit: 256 * MIB }, formatRoundBytes);
    assert.deepEqual(labels(scale), ["0 B", "64 MiB", "128 MiB", "192 MiB", "256 MiB"]);
    assert.equal(scale.breakAt, undefined);
    assert.equal(scale.fractionOf(256 * MIB), 0.9);
  });

  test("far below its limit gets the most of the height, and the limit stays in sight", () => {
    const scale = memoryScale({ peak: 20 * MIB, limit: 7.5 * GIB }, formatRoundBytes);
    assert.deepEqual(labels(scale), ["0 B", "8 MiB", "16 MiB", "24 MiB", "7.5 GiB"]);
    assert.ok(scale.fractionOf(20 * MIB) > 0.5);
    assert.equal(scale.fractionOf(7.5 * GIB), 0.9);
    assert.equal(scale.breakAt, scale.fractionOf(24 * MIB));
  });

  test("without a limit, or above it, is drawn up to its highest", () => {
    assert.deepEqual(labels(memoryScale({ peak: 3 * GIB, limit: null }, formatRoundBytes)).at(-1), "3 GiB");
    assert.deepEqual(labels(memoryScale({ peak: 3 * GIB, limit: GIB }, formatRoundBytes)).at(-1), "3 GiB");
  });

  test("of which nothing is known is drawn up to its limit", () => {
    const scale = memoryScale({ peak: null, limit: 256 * MIB }, formatRoundBytes);
    assert.deepEqual(labels(scale), ["0 B", "64 MiB", "128 MiB", "192 MiB", "256 MiB"]);
  });

  test("every value has its place, more is higher, and a place leads back to its value", () => {
    const amount = fc.double({ min: 1, max: 2 ** 50, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, amount, (peak, limit, one, other) => {
        const scale = memoryScale({ peak: Math.min(peak, limit), limit }, formatRoundBytes);
        const [low, high] = one < other ? [one, other] : [other, one];
        assert.ok(scale.fractionOf(low) <= scale.fractionOf(high));
        const within = Math.min(one, limit);
        const back = scale.valueAt(scale.fractionOf(within));
        assert.ok(Math.abs(back - within) <= within * 1e-6 + limit * 1e-9, `${back} is not ${within}`);
      }),
    );
  });
});
