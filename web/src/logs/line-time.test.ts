import assert from "node:assert/strict";
import { test } from "node:test";
import { formatLineTime } from "./line-time.ts";

const at = new Date(2026, 10, 21, 4, 2, 7, 18);
const cases: [Date, "second" | "millisecond", string][] = [
  [new Date(2026, 10, 21, 23), "millisecond", "04:02:07.018"],
  [new Date(2026, 10, 21, 0), "second", "04:02:07"],
  [new Date(2026, 10, 22, 0), "second", "21 Nov 04:02:07"],
  [new Date(2026, 9, 21, 4), "second", "21 Nov 04:02:07"],
  [new Date(2027, 10, 21, 4), "millisecond", "21 Nov 2026 04:02:07.018"],
];
for (const [now, precision, text] of cases) test(text, () => assert.equal(formatLineTime(at, now.getTime(), precision), text));
