import assert from "node:assert/strict";
import { it } from "node:test";
import { HOUR_MS } from "../../../src/contract/time.ts";
import { chartsEndMs } from "./charts-end.ts";

it("is where the longest range of the edition ends", () => {
  assert.equal(chartsEndMs(["1h", "6h"], 10 * HOUR_MS), 4 * HOUR_MS);
  assert.equal(chartsEndMs(["6h", "30d", "1h"], 0), -720 * HOUR_MS);
  assert.equal(chartsEndMs([], 0), undefined);
});
