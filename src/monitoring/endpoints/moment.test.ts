import assert from "node:assert/strict";
import { it } from "node:test";
import { startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { Check } from "./checks/head.ts";
import { judge } from "./moment.ts";

const STEP_MS = 30_000;

/** One letter a check: `.` succeeded, `x` failed, `X` with which it went down, `-` not observed, a blank none. */
function checksOf(pattern: string): Check[] {
  return [...pattern].flatMap((letter, index): Check[] =>
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

for (const [pattern, status] of [
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
  it(`checks ${JSON.stringify(pattern)} make an endpoint ${status}`, () => {
    assert.equal(judge(checksOf(pattern), { failureThreshold: 3, recoveryThreshold: 2 }, 2 * STEP_MS).status, status);
  });

for (const [pattern, isDecided] of [
  ["", false],
  [".", false],
  ["x", false],
  [".x.x", false],
  ["..", true],
  ["xxx", true],
  ["X", true],
  [".   .", true],
  ["..x", true],
] as const)
  it(`what came before ${JSON.stringify(pattern)} ${isDecided ? "changes nothing" : "may change what becomes of it"}`, () => {
    const thresholds = { failureThreshold: 3, recoveryThreshold: 2 };
    const checks = checksOf(pattern).map((check) => ({ ...check, atMs: check.atMs + 10 * STEP_MS }));
    const statuses = ["", "..........", "xxxxxxxxxx", "X.........", "xxxxxxxxx."].map(
      (before) => judge([...checksOf(before), ...checks], thresholds, 2 * STEP_MS).status,
    );
    assert.equal(judge(checks, thresholds, 2 * STEP_MS).isDecided, isDecided);
    if (isDecided) assert.equal(new Set(statuses).size, 1, statuses.join());
  });

it("an endpoint as it was is shown without its credentials", async () => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  const database = openSqlite({ path: `${temporaryFolder()}/moment.db`, clock: systemClock, log: silentLog });
  await database.start();
  const checked = await startEndpoints({ database, clock });
  await checked.create({ target: "https://ann:hunter2@web.test/health?api_key=abcdef" });
  const [endpoint] = await checked.endpoints.at(clock.now(), undefined);
  assert.equal(endpoint?.target, "https://***@web.test/health?api_key=***");
  await checked.stop();
  await database.stop();
});
