import assert from "node:assert/strict";
import { it } from "node:test";
import { formatCores } from "./cores.ts";

it("writes CPU as Kubernetes does", () => {
  assert.deepEqual([null, 0, 0.0001, 0.05, 0.9994, 0.9996, 1.5, 7.8, 63.96].map(formatCores), [
    "–",
    "0",
    "<1m",
    "50m",
    "999m",
    "1",
    "1.5",
    "7.8",
    "64",
  ]);
});
