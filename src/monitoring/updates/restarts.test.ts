import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { silentLog } from "../../platform/log.ts";
import { createRestarts } from "./restarts.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

function setUp() {
  const clock = createFakeClock(NOON);
  const asked: { from: number; to: number }[] = [];
  let failsNext = false;
  const restarts24h = createRestarts({
    async restartsByContainer(span) {
      asked.push(span);
      if (failsNext) throw new Error("disk I/O error");
      return new Map([[1, asked.length]]);
    },
    clock,
    log: silentLog,
  });
  return { clock, asked, restarts24h, fail: (does: boolean) => (failsNext = does) };
}

describe("restarts for the risk", () => {
  it("are those of the last 24 hours, and read once for all who ask within 5 minutes", async () => {
    const { clock, asked, restarts24h } = setUp();
    assert.deepEqual(await Promise.all([restarts24h(), restarts24h()]), [new Map([[1, 1]]), new Map([[1, 1]])]);
    assert.deepEqual(asked, [{ from: NOON.getTime() - DAY_MS, to: NOON.getTime() }]);
    await clock.advance(5 * MINUTE_MS - 1);
    assert.deepEqual(await restarts24h(), new Map([[1, 1]]));
    await clock.advance(1);
    assert.deepEqual(await restarts24h(), new Map([[1, 2]]));
  });

  it("are not known while they cannot be read, and are asked for again at once", async () => {
    const { asked, restarts24h, fail } = setUp();
    fail(true);
    assert.equal(await restarts24h(), undefined);
    fail(false);
    assert.deepEqual(await restarts24h(), new Map([[1, 2]]));
    assert.equal(asked.length, 2);
  });
});
