import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { createFakeWorld, type FakeWorld, openComponents, type OpenedComponents } from "../../../../test/support/status-components.ts";
import type { Database } from "../../../storage/database.ts";
import { pageStatus } from "./projection.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const MINUTE = 60;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let world: FakeWorld;
  let opened: OpenedComponents;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    world = createFakeWorld();
    world.set(1, "operational");
    opened = await openComponents(database, clock, world);
  });

  const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  /** As the page shows it: `degraded unobserved`. */
  const shown = (id: number): string | undefined => {
    const component = opened.find(id);
    return component && `${component.status}${component.observed ? "" : " unobserved"}`;
  };
  const isVisible = (id: number): boolean | undefined => opened.find(id)?.visible;
  const restart = async (): Promise<void> => {
    await opened.quit();
    opened = await openComponents(database, clock, world);
  };

  describe("a component whose monitor is not observed", () => {
    it("has no data after five minutes if it was well, since it was observed last, until it is observed again", async () => {
      const { id } = await opened.create();
      await opened.pass(10);
      world.set(1, null, { lastObservedAt: after(10) });
      await opened.pass(5 * MINUTE - 1);
      assert.equal(shown(id), "operational");
      opened.events.length = 0;
      await opened.pass(1);
      assert.equal(shown(id), "degraded unobserved");
      assert.deepEqual([opened.find(id)?.since, opened.find(id)?.uptime], [after(10), null]);
      assert.partialDeepStrictEqual(opened.find(id)?.days.at(-1), { worst: null, uptime: null });
      assert.equal(pageStatus(opened.board()), "degraded");
      assert.partialDeepStrictEqual(opened.events, [
        { type: "component.changed", data: { status: "degraded", previous_status: "operational", observed: false } },
        { type: "status.changed", data: { status: "degraded" } },
      ]);
      assert.partialDeepStrictEqual((await opened.list())[0], {
        status: "degraded",
        observed: false,
        monitor_status: "degraded",
        uptime_90d: null,
      });

      await opened.pass(10 * MINUTE);
      world.set(1, "operational");
      await opened.pass(1);
      assert.equal(shown(id), "operational");
      const today = opened.find(id)?.days.at(-1);
      assert.deepEqual([today?.worst, today?.uptime, opened.find(id)?.uptime], ["operational", 1, 1], "what nobody saw counts as neither");
    });

    it("that is degraded once it is seen says so, though its status stays the same", async () => {
      const { id } = await opened.create();
      world.set(1, "operational", { lastObservedAt: noon });
      await opened.pass(5 * MINUTE);
      opened.events.length = 0;
      world.set(1, "degraded");
      await opened.pass(1);
      assert.equal(shown(id), "degraded");
      assert.partialDeepStrictEqual(opened.events, [{ type: "component.changed", data: { previous_status: "degraded", observed: true } }]);
      assert.deepEqual(opened.find(id)?.since, after(5 * MINUTE + 1));
    });

    for (const status of ["degraded", "major_outage"] as const)
      it(`stays ${status} until health is seen`, async () => {
        const { id } = await opened.create();
        world.set(1, status);
        await opened.pass(1);
        world.set(1, null, { lastObservedAt: after(1) });
        await opened.pass(10 * MINUTE);
        assert.equal(shown(id), status);
        assert.deepEqual(opened.find(id)?.since, after(1));
        const { worst, outageSeconds = NaN } = opened.find(id)?.days.at(-1) ?? {};
        assert.equal(worst, status);
        assert.ok(Math.abs(outageSeconds - (status === "degraded" ? 0 : 10 * MINUTE)) <= 2, String(outageSeconds));
        world.set(1, "operational");
        await opened.pass(1);
        assert.equal(shown(id), "operational");
      });

    it("is its override, and in maintenance while that runs", async () => {
      const { id } = await opened.create();
      world.set(1, "operational", { lastObservedAt: noon });
      await opened.pass(5 * MINUTE);
      await opened.update(id, { status_override: "degraded" });
      assert.equal(shown(id), "degraded", "not without data: it is an override");
      await opened.update(id, { status_override: null });
      assert.equal(shown(id), "degraded unobserved");
      world.plan({ starts_at: after(0).toISOString(), ends_at: after(3600).toISOString(), components: [id] });
      await opened.pass(1);
      assert.equal(shown(id), "maintenance unobserved");
    });

    for (const crash of [false, true])
      it(`is so over a ${crash ? "crash" : "restart"}, for as long as nothing was seen before and after it`, async () => {
        const { id } = await opened.create();
        await opened.pass(90);
        await (crash ? opened.kill() : opened.quit());
        world.set(1, "operational", { lastObservedAt: null });
        clock.jump(after(90 + 2 * MINUTE));
        opened = await openComponents(database, clock, world);
        assert.equal(shown(id), "operational");
        await opened.pass(3 * MINUTE);
        assert.equal(shown(id), "degraded unobserved");
        const sinceMs = opened.find(id)?.since.getTime() ?? NaN;
        assert.ok(sinceMs >= after(crash ? 30 : 89).getTime() && sinceMs <= after(90).getTime(), String(new Date(sinceMs)));
        await restart();
        assert.equal(shown(id), "degraded unobserved");
        assert.equal(opened.find(id)?.since.getTime(), sinceMs);
      });

    it("has its five minutes from when it is made", async () => {
      world.set(2, null, { lastObservedAt: null });
      const { id } = await opened.create({ monitor_id: 2 });
      assert.equal(shown(id), "operational");
      await opened.pass(5 * MINUTE);
      assert.equal(shown(id), "degraded unobserved");
      assert.equal((await opened.update(id, { monitor_id: 1 })).status, "operational");
      await opened.pass(MINUTE);
      world.set(1, null, { lastObservedAt: null });
      await opened.pass(6 * MINUTE);
      assert.equal(shown(id), "degraded unobserved");
      await opened.update(id, { monitor_id: 2 });
      assert.equal(shown(id), "operational", "another monitor starts afresh");
    });

    it("is not called observed for longer when the clock is set back", async () => {
      const { id } = await opened.create();
      await opened.pass(10);
      world.set(1, "operational", { lastObservedAt: null });
      clock.jump(after(-3600));
      await opened.pass(6 * MINUTE);
      assert.equal(shown(id), "degraded unobserved");
    });
  });

  describe("without a database", () => {
    it("what is not observed has no data, which is announced once it can be saved", async () => {
      const { id } = await opened.create();
      await opened.pass(10);
      await database.stop();
      opened.events.length = 0;
      world.set(1, null, { lastObservedAt: after(10) });
      await opened.pass(5 * MINUTE);
      assert.equal(shown(id), "degraded unobserved");
      assert.deepEqual(opened.find(id)?.since, after(10));
      assert.deepEqual(opened.published(), []);
      await database.start();
      await opened.pass(2);
      assert.deepEqual(opened.published(), ["component.changed", "status.changed"]);
      world.set(1, "operational");
      await opened.pass(2);
      assert.equal(shown(id), "operational");
    });

    it("one that is observed before that could be saved is well again, and nothing is announced", async () => {
      const { id } = await opened.create();
      await database.stop();
      opened.events.length = 0;
      world.set(1, null, { lastObservedAt: noon });
      await opened.pass(6 * MINUTE);
      assert.equal(shown(id), "degraded unobserved");
      world.set(1, "operational");
      await database.start();
      await opened.pass(2);
      assert.equal(shown(id), "operational");
      assert.deepEqual(opened.published(), []);
    });
  });

  describe("a component whose monitor is gone", () => {
    it("is taken off the page when that is announced, and nothing is counted until it is back with its past", async () => {
      const { id } = await opened.create();
      await opened.pass(10);
      world.set(1, "major_outage");
      await opened.pass(10);
      world.remove(1);
      opened.hint(1, "container.removed");
      await opened.pass(1);
      assert.equal(isVisible(id), false);
      assert.equal(pageStatus(opened.board()), "operational");
      assert.partialDeepStrictEqual(await opened.list(), [{ needs_attention: true, visible: true, status: "major_outage" }]);
      const { outageSeconds } = opened.find(id)?.days.at(-1) ?? {};
      await opened.pass(10 * MINUTE);
      assert.equal(opened.find(id)?.days.at(-1)?.outageSeconds, outageSeconds);
      assert.deepEqual(opened.automaticFor({ type: "container", id: 1 }), []);
      await restart();
      assert.equal(isVisible(id), false, "after a restart too");

      world.set(9, "operational", { name: "web-1" });
      await opened.pass(MINUTE);
      assert.equal(isVisible(id), true);
      assert.equal(shown(id), "operational");
      assert.equal(opened.find(id)?.days.at(-1)?.outageSeconds, outageSeconds);
    });

    it("has ten minutes to come back, from our start too", async () => {
      const { id } = await opened.create();
      await opened.quit();
      world.remove(1);
      opened = await openComponents(database, clock, world);
      await opened.pass(9 * MINUTE);
      assert.equal(isVisible(id), true);
      assert.equal(shown(id), "degraded unobserved");
      world.set(1, "operational");
      await opened.pass(1);
      world.remove(1);
      await opened.pass(10 * MINUTE - 1);
      assert.equal(isVisible(id), true);
      await opened.pass(2);
      assert.equal(isVisible(id), false);
    });

    it("is taken off at once when people deleted the monitor", async () => {
      world.set(1, "operational", { type: "heartbeat" });
      const { id } = await opened.create({ monitor_type: "heartbeat" });
      await opened.quit();
      world.remove(1, "heartbeat");
      opened = await openComponents(database, clock, world);
      assert.equal(isVisible(id), false);
    });
  });
});
