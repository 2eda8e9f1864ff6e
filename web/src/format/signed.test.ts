import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes } from "./bytes.ts";
import { formatSigned, formatSignedPercent } from "./signed.ts";

test("a change has its sign, unless it reads as nothing", () => {
  const cases: [number, string][] = [
    [325_058_560, "+310 MiB"],
    [-325_058_560, "−310 MiB"],
    [0, "0 B"],
    [0.4, "0 B"],
    [-0.4, "0 B"],
  ];
  for (const [change, text] of cases) assert.equal(formatSigned(change, formatBytes), text);
  assert.equal(
    formatSigned(-0.004, (cores) => cores.toFixed(2)),
    "0.00",
  );
});

test("percents are as exact as one can read them, and never endless", () => {
  const cases: [number, string][] = [
    [0, "0 %"],
    [0.04, "0 %"],
    [0.42, "+0.4 %"],
    [-8.33, "−8.3 %"],
    [62.4, "+62 %"],
    [-100, "−100 %"],
    [9_999, "+9999 %"],
    [10_000, "> 9999 %"],
  ];
  for (const [percent, text] of cases) assert.equal(formatSignedPercent(percent), text);
});
