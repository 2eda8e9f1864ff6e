import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { BUNDLE_SIZE, narrowed, packBundle, unpackBundle } from "./bundle.ts";
import { CorruptBytes, seal } from "./envelope.ts";

const place = fc.integer({ min: 0, max: BUNDLE_SIZE - 1 });
const chunks = fc.array(fc.tuple(place, fc.uint8Array({ maxLength: 200 })), { maxLength: BUNDLE_SIZE }).map((each) => new Map(each));

function chunksOf(row: Uint8Array): [number, number[]][] {
  return [...unpackBundle(row)].map(([at, chunk]) => [at, [...chunk]]);
}

test("any chunks in, the same chunks out", () => {
  fc.assert(
    fc.property(chunks, fc.boolean(), (each, compress) => {
      assert.deepEqual(
        chunksOf(packBundle(each, { compress })),
        [...each].map(([at, chunk]) => [at, [...chunk]]),
      );
    }),
  );
});

test("a narrowed row has one series, as it is in the whole row, and no other", () => {
  fc.assert(
    fc.property(chunks, place, (each, wanted) => {
      const chunk = each.get(wanted);
      const expected = chunk === undefined ? [] : [[wanted, [...chunk]]];
      assert.deepEqual(chunksOf(narrowed(packBundle(each, { compress: false }), wanted)), expected);
    }),
  );
});

test("a compressed row is left as it is, and has the series too", () => {
  const row = packBundle(new Map([0, 1].map((at) => [at, new Uint8Array(500).fill(at)])), { compress: true });
  assert.equal(narrowed(row, 1), row);
  assert.equal(unpackBundle(row).get(1)?.length, 500);
});

test("a corrupt row is left as it is, so that its readers report it", () => {
  const whole = packBundle(new Map([[1, Uint8Array.of(1, 2, 3)]]), { compress: false });
  const changed = whole.slice();
  changed[changed.length - 1] = 9;
  const ofAnotherForm = whole.slice();
  ofAnotherForm[0] = 7;
  const withoutDirectory = seal(Uint8Array.of(BUNDLE_SIZE, 0), { compress: false });
  for (const row of [changed, ofAnotherForm, withoutDirectory, whole.subarray(0, 8), new Uint8Array(0)]) {
    assert.equal(narrowed(row, 1), row);
    assert.throws(() => unpackBundle(row), CorruptBytes);
  }
});
