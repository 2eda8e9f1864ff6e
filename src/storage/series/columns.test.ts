import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { decodeColumns, encodeColumns, LARGEST_VALUE } from "./columns.ts";
import { CorruptBytes } from "./envelope.ts";

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
  { weight: 2, arbitrary: fc.nat().map((n) => n * 4096) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 52n }).map(Number) },
  { weight: 2, arbitrary: fc.constant(Number.NaN) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 2 ** 31, 2 ** 32, LARGEST_VALUE) },
);

const table = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 8 }))
  .chain(([rows, columns]) => fc.array(fc.array(value, { minLength: rows, maxLength: rows }), { minLength: columns, maxLength: columns }))
  .map((columns) => columns.map((column) => Float64Array.from(column)));

test("any columns in, the same columns out", () => {
  fc.assert(
    fc.property(table, (columns) => {
      assert.deepEqual(decodeColumns(encodeColumns(columns)), columns);
    }),
    { numRuns: 300 },
  );
});

test("a column that never changes takes two bytes, one that is absent a single one", () => {
  const constant = new Float64Array(360).fill(536_870_912);
  const absent = new Float64Array(360).fill(Number.NaN);
  assert.equal(encodeColumns([constant]).length, 3 + 2);
  assert.equal(encodeColumns([constant, absent]).length, encodeColumns([constant]).length + 1);
});

test("values that are no whole numbers from 0 to 2^52 are refused", () => {
  for (const wrong of [0.5, -1, 2 ** 53, Infinity]) assert.throws(() => encodeColumns([Float64Array.of(wrong)]), RangeError, String(wrong));
});

test("bytes cut off, or any others, are corrupt columns or columns, and never fail otherwise", () => {
  const bytes = encodeColumns([
    Float64Array.from({ length: 100 }, (_, row) => (row * 7919) % 1000),
    new Float64Array(100).fill(Number.NaN),
  ]);
  for (let at = 0; at < bytes.length; at += 1) assert.throws(() => decodeColumns(bytes.subarray(0, at)), CorruptBytes, `cut at ${at}`);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
      try {
        decodeColumns(any);
      } catch (error) {
        assert.ok(error instanceof CorruptBytes);
      }
    }),
  );
});
