import assert from "node:assert/strict";
import { it } from "node:test";
import type { Check } from "./checks/head.ts";
import { statusBy } from "./moment.ts";

const STEP_MS = 30_000;

/** One letter a check: `.` succeeded, `x` failed, `X` with which it went down, `-` not observed, a blank none. */
function checksOf(letters: string): Check[] {
  return [...letters].flatMap((letter, index): Check[] =>
    letter === " "
      ? []
      : [
          {
            atMs: index * STEP_MS,
            success: letter === ".",
            observed: letter !== "-",
            wentDown: letter === "X",
            ...{ replayed: false, late: false, responseTimeMs: null, httpStatus: null, failureClass: null, error: null },
          },
        ],
  );
}

for (const [letters, status] of [
  ["", "unknown"],
  [".", "up"],
  ["x", "unknown"],
  ["xx", "unknown"],
  ["xxx", "down"],
  ["..x", "up"],
  ["..xxX", "down"],
  ["X.", "down"],
  ["X..", "up"],
  ["X-.-.", "up"],
  [".x.", "unknown"],
  ["..x.", "up"],
  ["xxx   .", "up"],
  ["..x   x", "unknown"],
  ["-", "unknown"],
] as const)
  it(`checks ${JSON.stringify(letters)} make an endpoint ${status}`, () => {
    assert.equal(statusBy(checksOf(letters), { failureThreshold: 3, recoveryThreshold: 2 }, 2 * STEP_MS), status);
  });
