import assert from "node:assert/strict";
import { it } from "node:test";
import { meanUptime } from "./mean-uptime.ts";

it("is the mean of the days that were watched", () => {
  assert.equal(meanUptime([{ uptime_percent: 100 }, { uptime_percent: null }, { uptime_percent: 50 }]), 75);
  assert.equal(meanUptime([{ uptime_percent: null }]), null);
  assert.equal(meanUptime([]), null);
});
