import assert from "node:assert/strict";
import { test } from "node:test";
import { observedDays } from "./observed-days.ts";

test("something is monitored since the oldest day of which anything is known", () => {
  const days = (...percents: (number | null)[]) => percents.map((uptime_percent) => ({ uptime_percent }));
  assert.deepEqual(
    [days(), days(null, null), days(100, null), days(100, null, 0, null), days(null, 90)].map(observedDays),
    [0, 0, 1, 3, 2],
  );
});
