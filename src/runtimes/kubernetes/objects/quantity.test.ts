import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantity } from "./values.ts";

test("quantities of every form are numbers", () => {
  const cases: [string | number, number][] = [
    ["250m", 0.25],
    ["2", 2],
    [2, 2],
    ["0.5", 0.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["1E3", 1000],
    ["1E", 1e18],
    ["12345678n", 0.012345678],
    ["150u", 0.00015],
    ["64Mi", 64 * 1024 * 1024],
    ["1Gi", 1024 ** 3],
    ["128974848", 128_974_848],
    ["129M", 129e6],
    ["129e6", 129e6],
    ["-1", -1],
    ["+1k", 1000],
  ];
  for (const [text, value] of cases)
    assert.ok(Math.abs((parseQuantity(text) ?? Number.NaN) - value) < 1e-9 * Math.abs(value), String(text));
});

test("what is no quantity is null", () => {
  for (const text of [null, undefined, "", "m", "1 Gi", "1gi", "0x10", "1.2.3", "Infinity", "1e999"])
    assert.equal(parseQuantity(text), null);
});
