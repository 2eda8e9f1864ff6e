import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes, formatRate, formatRoundBytes } from "./bytes.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

test("bytes are shown in three digits of the unit that fits", () => {
  const cases: [number | null, string][] = [
    [null, "–"],
    [0, "0 B"],
    [0.4, "0 B"],
    [1, "1 B"],
    [1023, "1023 B"],
    [1023.6, "1.00 KiB"],
    [KIB, "1.00 KiB"],
    [1.5 * KIB, "1.50 KiB"],
    [9.996 * KIB, "10.0 KiB"],
    [99.96 * KIB, "100 KiB"],
    [1023.4 * KIB, "1023 KiB"],
    [1023.9 * KIB, "1.00 MiB"],
    [38.24 * MIB, "38.2 MiB"],
    [512 * MIB, "512 MiB"],
    [7.6 * GIB, "7.60 GiB"],
    [3 * 1024 * GIB, "3.00 TiB"],
    [5000 * 1024 * 1024 * GIB, "5000 PiB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});

test("rates are shown by the second", () => {
  assert.equal(formatRate(null), "–");
  assert.equal(formatRate(0.2), "0 B/s");
  assert.equal(formatRate(2.5 * MIB), "2.50 MiB/s");
});

test("round amounts leave out what is zero", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [256 * MIB, "256 MiB"],
    [1.5 * GIB, "1.5 GiB"],
    [KIB / 2, "512 B"],
    [12.5 * MIB, "12.5 MiB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatRoundBytes(bytes), text);
});
